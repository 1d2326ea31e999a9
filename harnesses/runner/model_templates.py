"""Texts the model sees around a command; part of the runner, not editable by a revision."""

INSTANCE_TEMPLATE = """Please do this office task in {{ cwd }}:

<task>
{{ task }}
</task>"""

OBSERVATION_TEMPLATE = """<returncode>{{ output.returncode }}</returncode>
{%- if output.exception_info %}
<exception>{{ output.exception_info }}</exception>
{%- endif %}
{%- if output.output | length <= 10000 %}
<output>
{{ output.output }}</output>
{%- else %}
<warning>{{ output.output | length - 10000 }} characters in the middle are left out.</warning>
<output_head>
{{ output.output[:5000] }}</output_head>
<output_tail>
{{ output.output[-5000:] }}</output_tail>
{%- endif %}"""

FORMAT_ERROR_TEMPLATE = """{% if finish_reason == "length" -%}
The reply was cut off at the output limit before it made a tool call. Be brief and make one `bash` call.
{%- else -%}
The reply could not be used: {{ error }}
{%- endif %}

Every reply needs at least one call of the tool `bash` with the argument {"command": "..."}.
To finish, run `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT` as a command of its own."""
