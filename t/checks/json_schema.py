"""Which YAML files a JSON Schema refuses: lines "SCHEMA<TAB>FILE" on standard input; for each, a line
"ok", "refused: PLACE: WHY" or "unreadable" on standard output."""

import json
import re
import sys

import jsonschema
import yaml


class Loader(yaml.BaseLoader):
    """Scalars as the core schema of YAML 1.2 has them, which is what editors see."""

    def construct_scalar(self, node):
        text = super().construct_scalar(node)
        if not isinstance(node, yaml.ScalarNode) or node.style:
            return text
        if text in ("", "~", "null", "Null", "NULL"):
            return None
        if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
            return text.lower() == "true"
        if re.fullmatch(r"[-+]?[0-9]+", text):
            return int(text)
        if re.fullmatch(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", text):
            return float(text)
        return text

    def construct_mapping(self, node, deep=False):
        return {str(k): v for k, v in super().construct_mapping(node, deep=True).items()}


schemas = {}


def answer(schema, path):
    if schema not in schemas:
        with open(schema, encoding="utf-8") as file:
            loaded = json.load(file)
        jsonschema.Draft202012Validator.check_schema(loaded)
        schemas[schema] = jsonschema.Draft202012Validator(loaded)
    try:
        with open(path, encoding="utf-8") as file:
            tree = yaml.load(file, Loader)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, TypeError):
        return "unreadable"
    error = jsonschema.exceptions.best_match(schemas[schema].iter_errors(tree))
    if error is None:
        return "ok"
    place = "/".join(str(p) for p in error.absolute_path)
    return "refused: " + place + ": " + error.message.replace("\n", " ")[:200]


for line in sys.stdin:
    print(answer(*line.rstrip("\n").split("\t")))
