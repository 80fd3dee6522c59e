"""The page of `report --html`: one file with the results as columns, and the script that shows them.

container   columns of numbers as bytes, beside a header     columns    Results as a container
commands    shell commands that run an instance again        drawings   instances as text, within a budget
document    the html, with its content security policy       report     the page of one journal or two
"""
