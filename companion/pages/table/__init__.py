"""The table page of a phone.

Contents; `pyproject.toml` lists the layers:

- `snapshot`: the table after one entry, without secrets; `viewer`: the phone that looks, its secrets and permissions
- `turn` (whose turn it is), `changes` (what happened), `tasks` (what to do by hand), `timers`, `standings`, `seating`,
  `board_tab`, `journal_tab`: the parts of the page
- `prompt_forms`, `correction_form`, `table_options`: the forms
- `page_cache`, `entry_texts`: data cached for all phones
- `page`: all of this together, for views and templates

Views: `views` shows the page (`rendering`); `entry_views`, `seat_views` and `host_views` process its buttons
(`table_action`).
"""
