"""Results can be copied and pickled: what is kept is the path of their journal, which is opened anew."""

import pickle

import harness

results = harness.run("minimal", "native:python", puzzles=2)
again = pickle.loads(pickle.dumps(results))
print(again.journal == results.journal, again.contenders)
resumed = harness.resume(results.journal)  # of a complete run: nothing is left to do
print(resumed.summary["contenders"] == results.summary["contenders"])
