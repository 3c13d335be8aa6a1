"""
Starts LocalStack. Its metadata asks for Python 3.10, but it needs 3.13: nine of its modules declare type parameters in
the syntax of 3.12 (PEP 695), one has an annotation that earlier versions cannot evaluate, and others use a decorator
that is new in 3.13. Many machines have Python 3.11 or 3.12, so for these the modules are rewritten as they are loaded.
"""

import __future__
import re
import sys
import warnings
from importlib.machinery import PathFinder, SourceFileLoader
from importlib.util import decode_source

REWRITTEN = {
    f"localstack.{name}"
    for name in (
        "packages.api",
        "services.cloudformation.engine.v2.change_set_model_preproc",
        "services.cloudformation.resource_provider",
        "services.events.models",
        "services.kms.utils",
        "services.sqs.queue",
        "services.stepfunctions.asl.component.test_state.state.base_mock",
        "services.stores",
        "state.pickle",
        "testing.aws.util",
    )
}
CLASS = re.compile(r"^( *class \w+)\[(.+?)\](?:\((.*)\))?:$", re.MULTILINE)
FUNCTION = re.compile(r"^( *def \w+)\[.+?\](?=\()", re.MULTILINE)
ALIAS = re.compile(r"^type (?=\w+ = )", re.MULTILINE)


def with_older_syntax(source):
    declared = set()

    def to_generic(match):
        head, parameters, bases = match.groups()
        names = [parameter.split(":")[0].strip() for parameter in parameters.split(",")]
        declared.update(names)
        generic = f"Generic[{', '.join(names)}]"
        return f"{head}({f'{bases}, {generic}' if bases else generic}):"

    rewritten = ALIAS.sub("", FUNCTION.sub(r"\1", CLASS.sub(to_generic, source)))
    variables = "".join(f"; {name} = TypeVar('{name}')" for name in sorted(declared))
    return f"from typing import Generic, TypeVar{variables}\n{rewritten}"


class OlderSyntaxLoader(SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        # The import would have to come first, and the flag says the same: annotations are not evaluated.
        source = decode_source(self.get_data(path)).replace("from __future__ import annotations\n", "\n")
        return compile(with_older_syntax(source), path, "exec", __future__.annotations.compiler_flag, True)


class OlderSyntaxFinder:
    @staticmethod
    def find_spec(name, path, target=None):
        if name not in REWRITTEN:
            return None
        spec = PathFinder.find_spec(name, path, target)
        spec.loader = OlderSyntaxLoader(name, spec.origin)
        return spec


if sys.version_info < (3, 11):
    sys.exit("LocalStack 4.14.0 takes Python 3.11 or newer.")
if sys.version_info < (3, 13):
    import typing_extensions

    warnings.deprecated = typing_extensions.deprecated
    sys.meta_path.insert(0, OlderSyntaxFinder)

from localstack.runtime.main import main  # noqa: E402

main()
