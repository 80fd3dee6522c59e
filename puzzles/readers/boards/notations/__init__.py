"""Notations of boards with cages, sums or comparisons, as people write them; each is translated to lines of boards.

legend      a map of cages in letters or numbers, then the clue of each; or clues and map as two grids
cage_lists  a cage on each line: its result and the numbers of its squares
sum_lists   a killer as a list in a program
kakuro      a kakuro as a grid of words or as CSV
futoshiki   a futoshiki as it is drawn, or its signs as two grids
framed      a killer, KenKen, kakuro or jigsaw as `show` draws it

Each has `recognise(opening) -> bool` for the first lines that are neither blank nor comments, with their indents, and
`translate(lines) -> lines`.
"""

from puzzles.readers.boards.notations import cage_lists, futoshiki, kakuro, legend, sum_lists

NOTATIONS = (sum_lists, kakuro, cage_lists, legend, futoshiki)
