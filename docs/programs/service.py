"""A web service: what strangers send is text, never a path; a limit on each ask; other requests go on meanwhile."""

import asyncio

import harness


async def answer(body: str) -> str:
    try:
        solved = await asyncio.to_thread(harness.solve, text=body, contender="native", timeout=5)
    except harness.BadUsage as e:
        return f"400 {e}"
    return f"200 {solved.status}: {solved.verdict}"


async def main() -> None:
    bodies = ["p cnf 2 2\n1 2 0\n-1 0\n", "1..............4", "/etc/hostname"]
    for reply in await asyncio.gather(*map(answer, bodies)):
        print(reply)


asyncio.run(main())
