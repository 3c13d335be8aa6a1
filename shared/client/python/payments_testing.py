"""A test world for each test, or for each test file, as a fixture of pytest.

Needs Python 3.10, pytest and standardwebhooks. Copy this file beside your tests, and name it in conftest.py:
pytest_plugins = ["payments_testing"]
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook

Json = dict[str, Any]

# The command line of the service: in the package of npm, or in a clone.
PACKAGE = Path("node_modules", "payments-kit", "pg.js")
CLONE = Path("infra", "pg", "pg.ts")
CALL_TIMEOUT_SECONDS = 30
EVENT_TIMEOUT_SECONDS = 10.0
LOOK_EVERY_SECONDS = 0.05
PAGE_MAX = 100
COMPLAINT_MAX_LINES = 20
# Worlds of tests that were killed end by themselves.
TTL_MINUTES = 15
# What is set for the program under test, and would lead the service elsewhere.
OWN_SETTINGS = re.compile(r"AWS_.*|TABLE_NAME|PUBLIC_BASE_URL|NODE_OPTIONS|npm_lifecycle_event")


class Problem(Exception):
    """The service refused a request. `code` is stable; `body` is the whole response."""

    def __init__(self, request: str, status: int, body: Json) -> None:
        fields = "".join(f" {each['field']} {each['message']}." for each in body.get("errors", []))
        super().__init__(f"{request}: {body.get('title')} ({body.get('code')}). {body.get('detail', '')}{fields}")
        self.status = status
        self.code = body.get("code")
        self.body = body


@dataclass(frozen=True)
class Service:
    """A running service, and a test key of it."""

    base_url: str
    key: str

    def _open(self, request: urllib.request.Request) -> Any:
        """A proxy of the environment is for others: no request to this machine goes through it."""
        host = urllib.parse.urlsplit(self.base_url).hostname or ""
        is_own = host in ("localhost", "::1") or host.startswith("127.")
        handlers = [urllib.request.ProxyHandler({})] if is_own else []
        return urllib.request.build_opener(*handlers).open(request, timeout=CALL_TIMEOUT_SECONDS)

    def call(self, method: str, path: str, fields: Json | None = None, idempotency_key: str | None = None) -> Json:
        """Sends one request to `/api/v1` and returns its response. Raises Problem if it is refused."""
        headers = {"Authorization": f"Bearer {self.key}"}
        body = None
        if method != "GET":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
            headers["Content-Type"] = "application/json"
            body = json.dumps(fields or {}).encode()
        request = urllib.request.Request(f"{self.base_url}/api/v1{path}", body, headers, method=method)
        try:
            with self._open(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            with error:
                raise Problem(f"{method} {path}", error.code, json.load(error)) from None


@dataclass(frozen=True)
class SignedWebhook:
    """A delivery as the service sent it: post `body` with `headers` to your own receiver."""

    body: str
    headers: dict[str, str]
    event: Json


class World:
    """A test world: nothing else has its clock, its numbers and its events."""

    def __init__(self, merchant: Service, fields: Json) -> None:
        created = merchant.call("POST", "/test/worlds", fields)
        self._merchant = merchant
        self._service = Service(merchant.base_url, created["key"])
        self.id: str = created["id"]
        self.key: str = created["key"]
        self.base_url = merchant.base_url
        self.expires_at: str = created["expires_at"]
        # A test waits for what it does itself, not for the history that its world was seeded with.
        history = self.get("/events?limit=1")["data"] if fields.get("profile") else []
        self._last: Json | None = history[0] if history else None
        self._untaken: list[Json] = []
        self._sink: Json | None = None

    @property
    def webhook_secret(self) -> str:
        """The secret of the deliveries that `next_webhook` returns. They begin when it is first read."""
        if self._sink is None:
            created = self.post("/test/webhooks/sinks")
            self._sink = self.get(f"/test/webhooks/sinks/{created['id']}")
        return self._sink["secret"]

    def get(self, path: str) -> Json:
        """`world.get("/payments/pay_…")`. Raises Problem."""
        return self._service.call("GET", path)

    def post(self, path: str, fields: Json | None = None, *, idempotency_key: str | None = None) -> Json:
        """`world.post("/payments", {…})`, with a new Idempotency-Key unless one is given. Raises Problem."""
        return self._service.call("POST", path, fields, idempotency_key)

    def advance(self, seconds: int) -> None:
        """Moves the clock. What is due by then has happened when this returns."""
        self.post("/test/clock/advance", {"seconds": seconds})

    def next_event(
        self, event_type: str, *, where: Callable[[Json], bool] = lambda event: True, timeout: float | None = None
    ) -> Json:
        """The oldest event of a type that was not taken before, as soon as there is one.

        Raises TimeoutError that lists the other events, if none comes within `timeout` seconds (PG_EVENT_TIMEOUT, or 10).
        """
        timeout = _event_timeout() if timeout is None else timeout
        give_up_at = time.monotonic() + timeout
        while True:
            # First what is new: after a purge, what was collected before is gone.
            while self._read_page():
                pass
            for event in self._untaken:
                if event["type"] == event_type and where(event):
                    self._untaken.remove(event)
                    return event
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"No {event_type} came within {timeout} s. {self._listed()}")
            time.sleep(LOOK_EVERY_SECONDS)

    def next_webhook(
        self, event_type: str, *, where: Callable[[Json], bool] = lambda event: True, timeout: float | None = None
    ) -> SignedWebhook:
        """The delivery of the next event of a type, whose signature was verified. Read `webhook_secret` before.

        Raises TimeoutError if none comes within `timeout` seconds (PG_EVENT_TIMEOUT, or 10), WebhookVerificationError if
        the signature is wrong.
        """
        timeout = _event_timeout() if timeout is None else timeout
        if self._sink is None:
            raise RuntimeError("Read world.webhook_secret before what makes the event: deliveries begin with it.")
        give_up_at = time.monotonic() + timeout
        event_id = self.next_event(event_type, where=where, timeout=timeout)["id"]
        while True:
            for delivery in self.get(f"/events/{event_id}/deliveries")["data"]:
                if delivery["sink_id"] == self._sink["id"]:
                    body, headers = delivery["body"], delivery["request_headers"]
                    return SignedWebhook(body, headers, Webhook(self.webhook_secret).verify(body, headers))
            if time.monotonic() > give_up_at:
                raise TimeoutError(f"{event_type} ({event_id}) was not delivered within {timeout} s.")
            time.sleep(LOOK_EVERY_SECONDS)

    def end(self) -> None:
        """Deletes the world."""
        try:
            self._merchant.call("DELETE", f"/test/worlds/{self.id}")
        except Problem as problem:
            if problem.code != "world_not_found":
                raise

    def _read_page(self) -> bool:
        """Reads the events after the last one. Returns whether there were any."""
        after = self._last["sequence"] - 1 if self._last else 0
        events = self.get(f"/events?after_sequence={after}&limit={PAGE_MAX}")["data"]
        if self._last and (not events or events[0]["id"] != self._last["id"]):
            # The world was purged, so its numbers begin anew.
            self._last = None
            self._untaken.clear()
            return True
        new = events[1:] if self._last else events
        self._untaken.extend(new)
        self._last = new[-1] if new else self._last
        return bool(new)

    def _listed(self) -> str:
        lines = ", ".join(f"{each['type']} ({each['data']['object']['id']})" for each in self._untaken)
        return f"What came and was not taken: {lines}." if lines else "No other event came."


def _event_timeout() -> float:
    """Raises ValueError where the variable is no number of seconds: a test would wait for another time than was meant."""
    given = os.environ.get("PG_EVENT_TIMEOUT")
    if not given:
        return EVENT_TIMEOUT_SECONDS
    if not re.fullmatch(r"[0-9]{1,4}([.][0-9]+)?", given):
        raise ValueError(f'PG_EVENT_TIMEOUT takes seconds, as in 60, not "{given}".')
    return float(given)


@contextmanager
def running_service() -> Iterator[Service]:
    """The service that PG_BASE_URL and PG_KEY name, or else one that is started by Node with the package of npm: in
    memory, on a free port. It ends with this process, even one that is killed.
    """
    base_url, key = os.environ.get("PG_BASE_URL"), os.environ.get("PG_KEY")
    if base_url and key:
        yield Service(base_url.rstrip("/"), key)
        return
    if base_url or key:
        missing = "PG_KEY" if base_url else "PG_BASE_URL"
        raise RuntimeError(f"PG_BASE_URL and PG_KEY name a running service together: {missing} is not set.")
    process, complaint = _start()
    try:
        line = process.stdout.readline()
        if not line:
            process.wait()
            raise RuntimeError(f"The service did not start. {''.join(complaint)}".strip())
        started = json.loads(line)
        yield Service(started["baseUrl"], started["key"])
    finally:
        process.stdin.close()
        process.wait()
        process.stdout.close()


def _start() -> tuple[subprocess.Popen[str], deque[str]]:
    env = {name: value for name, value in os.environ.items() if not OWN_SETTINGS.fullmatch(name)}
    process = subprocess.Popen(
        [*_program(), "start", "--leash", "--port", "0"],
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Ctrl-C goes to the tests alone, and the service ends after them.
        start_new_session=True,
    )
    complaint: deque[str] = deque(maxlen=COMPLAINT_MAX_LINES)

    def read_complaint() -> None:
        with process.stderr:
            complaint.extend(process.stderr)

    threading.Thread(target=read_complaint, daemon=True).start()
    return process, complaint


def _program() -> list[str]:
    """Node, and the command line of the service. Raises RuntimeError that says how to install what is missing."""
    here = Path(__file__).resolve()
    folders = [*here.parents, Path.cwd(), *Path.cwd().parents]
    # Beside this file in the package, installed by npm around this project, or in a clone.
    found = [folder / name for folder in folders for name in ("pg.js", PACKAGE, CLONE) if (folder / name).exists()]
    if not found:
        raise RuntimeError(
            "No service is known. Set PG_BASE_URL and PG_KEY to those of a running one, run the tests by "
            '"npx payments-kit run -- pytest", or install it here: npm install --save-dev payments-kit'
        )
    own = found[0].parents[2] / "node_modules" / "node" / "bin" / "node"
    node = str(own) if own.exists() else shutil.which("node")
    if node is None:
        raise RuntimeError("The service runs on Node 22.13 or newer, and no node is on the PATH.")
    return [node, str(found[0])]


@contextmanager
def create_test_world(service: Service, **fields: Any) -> Iterator[World]:
    """A world that is deleted at the end: `with create_test_world(payments_service, profile="small") as world:`.

    Takes the fields of Create Test World: name, ttl_minutes, profile, starts_at. Raises Problem.
    """
    world = World(service, {"name": "test file", "ttl_minutes": TTL_MINUTES, **fields})
    try:
        yield world
    finally:
        world.end()


@pytest.fixture(scope="session")
def payments_service() -> Iterator[Service]:
    """One service for the whole run."""
    with running_service() as service:
        yield service


@pytest.fixture
def fresh_world(payments_service: Service) -> Iterator[World]:
    """A world for each test, which takes some 50 milliseconds."""
    with create_test_world(payments_service) as created:
        yield created


@pytest.fixture(scope="module")
def world(payments_service: Service) -> Iterator[World]:
    """A world for each test file."""
    with create_test_world(payments_service) as created:
        yield created
