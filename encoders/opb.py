"""OPB, the pseudo-Boolean format: a zero-one programme as text, over Booleans x1, x2, ...

+3 x1 -2 x2 >= -1 ;
"""

from encoders.formula import Constraints
from encoders.zero_one import rows_of
from encoders.zero_one.rows import ZeroOneRows, literal_table
from puzzles.problem.values import Domains


def opb(form: Constraints, domains: Domains) -> bytes:
    """Return an OPB file of a problem under these domains. Raises Unsupported."""
    return text(rows_of(form, domains, literal_table(form, domains)))


def text(rows: ZeroOneRows) -> bytes:
    """Return rows as an OPB file."""
    lines = [
        f"{' '.join([f'{a:+d} x{k}' for k, a in terms.items()])} {'=' if equal else '>='} {bound} ;\n"
        for terms, bound, equal in rows.rows
    ]
    return f"* #variable= {rows.last} #constraint= {len(lines)}\n{''.join(lines)}".encode()
