"""
Plugins of LocalStack that let it run without a container engine: its gateway listens on the given address alone, and
a Lambda function runs as a process of Node. LocalStack finds them by the entry points in the folder beside this file,
and takes them where GATEWAY_SERVER and LAMBDA_RUNTIME_EXECUTOR name them.
"""

import json
import os
import socket
import subprocess
import tempfile
import threading
import time
from pathlib import Path

from localstack.runtime.server.core import RuntimeServerPlugin
from localstack.services.lambda_.invocation.executor_endpoint import StatusErrorException
from localstack.services.lambda_.invocation.lambda_models import InvocationResult
from localstack.services.lambda_.invocation.plugins import RuntimeExecutorPlugin
from localstack.services.lambda_.invocation.runtime_executor import RuntimeExecutor

HOST = "127.0.0.1"
RUN_FUNCTION = Path(__file__).with_name("run-function.ts")


class LoopbackServerPlugin(RuntimeServerPlugin):
    """Chosen by name: where it is missing, LocalStack does not start. A hook that is missing would go unseen."""

    name = "loopback"

    def load(self, *args, **kwargs):
        # Imported here, since Twisted must not be loaded before LocalStack has configured it.
        from localstack.runtime.server.twisted import TwistedRuntimeServer
        from rolo.serving.twisted import TwistedGateway
        from twisted.internet import reactor

        class LoopbackServer(TwistedRuntimeServer):
            def register(self, gateway, listen, ssl_creds=None):
                """LocalStack's own server ignores the host, and listens on every interface."""
                for address in listen:
                    reactor.listenTCP(address.port, TwistedGateway(gateway), interface=address.host)

        return LoopbackServer()


class ProcessExecutorPlugin(RuntimeExecutorPlugin):
    name = "process"

    def load(self, *args, **kwargs):
        return ProcessExecutor


class ProcessExecutor(RuntimeExecutor):
    """
    One environment of a function: a process of Node that calls its handler. The process reads one invocation a line
    from a socket, and writes one result a line. It ends when the socket closes, so it cannot outlive LocalStack.
    """

    def __init__(self, id, function_version):
        super().__init__(id, function_version)
        self.environment = {}
        self.process = None
        self.channel = None
        self.results = None
        self.is_stopped = False
        # stop() comes from another thread. Without the lock it could miss a process that is just being started.
        self.lock = threading.Lock()
        # A file, since nobody has to read it while the function runs: a full pipe would stop the function.
        self.output = tempfile.TemporaryFile()

    def start(self, env_vars):
        code = str(self.function_version.config.code.get_unzipped_code_location())
        self.environment = {name: str(value) for name, value in env_vars.items()}
        self.environment["LAMBDA_TASK_ROOT"] = code
        # Node need not compile the same code again for each process.
        self.environment["NODE_COMPILE_CACHE"] = os.environ["FUNCTIONS_CACHE"]
        self._spawn()

    def _spawn(self):
        """Starts the process, and waits until it has loaded the function."""
        ours, theirs = socket.socketpair()
        code = self.environment["LAMBDA_TASK_ROOT"]
        with theirs, self.lock:
            if self.is_stopped:
                ours.close()
                raise StatusErrorException("The environment was stopped.", b"{}")
            self.process = subprocess.Popen(
                [os.environ["FUNCTIONS_NODE"], str(RUN_FUNCTION), code],
                cwd=code,
                env=self.environment,
                stdin=theirs,
                stdout=self.output,
                stderr=self.output,
            )
            self.channel, self.results = ours, ours.makefile("rb")
        if not self.results.readline():
            self._end()
            raise StatusErrorException("The function did not start.", self._failure("Runtime.ExitError", self.get_logs()))

    def invoke(self, payload):
        timeout = int(self.function_version.config.timeout)
        logged = self._logged()
        deadline = int((time.time() + timeout) * 1000)
        line = b""
        try:
            self.channel.settimeout(timeout)
            self.channel.sendall(json.dumps({**payload, "deadline": deadline}).encode() + b"\n")
            line = self.results.readline()
            failure = self._failure("Runtime.ExitError", "The process of the function ended.")
        except TimeoutError:
            failure = self._failure("Sandbox.Timedout", f"Task timed out after {timeout}.00 seconds")
        except (OSError, ValueError):
            failure = self._failure("Runtime.ExitError", "The process of the function was gone.")
        result = json.loads(line) if line.endswith(b"\n") else {"failed": True, "payload": failure.decode()}
        logs = os.pread(self.output.fileno(), self._logged() - logged, logged).decode(errors="replace")
        if not line.endswith(b"\n"):
            self._restart()
        return InvocationResult(payload["invoke-id"], result["payload"].encode(), result["failed"], logs)

    def _restart(self):
        """As in AWS, the next invocation finds a new process where the last one has timed out or crashed."""
        self._end()
        if not self.is_stopped:
            self._spawn()

    def stop(self):
        with self.lock:
            self.is_stopped = True
        self._end()

    def _end(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.channel.close()

    def _failure(self, kind, message):
        return json.dumps({"errorType": kind, "errorMessage": message}).encode()

    def _logged(self):
        return os.fstat(self.output.fileno()).st_size

    def get_logs(self):
        return os.pread(self.output.fileno(), self._logged(), 0).decode(errors="replace")

    def get_address(self):
        return HOST

    def get_endpoint_from_executor(self):
        return HOST

    def get_runtime_endpoint(self):
        """Only LocalStack's own runtime calls back over HTTP."""
        return ""

    @classmethod
    def prepare_version(cls, function_version):
        function_version.config.code.prepare_for_execution()

    @classmethod
    def cleanup_version(cls, function_version):
        """LocalStack removes the code itself."""
