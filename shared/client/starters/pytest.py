"""Each test has a world of its own: a clock, payments, numbers and events that no other test sees."""

import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

pytest_plugins = ["payments_testing"]

AMOUNT = {"currency": "THB", "minor": 129900}


def test_an_order_is_paid(fresh_world):
    payment = fresh_world.post("/payments", {"amount": AMOUNT, "method": "promptpay"})
    fresh_world.post(f"/test/payments/{payment['id']}/simulate", {"outcome": "succeeded"})
    event = fresh_world.next_event("payment.succeeded")
    assert event["data"]["object"]["id"] == payment["id"]


def test_an_order_that_nobody_pays_expires(fresh_world):
    payment = fresh_world.post("/payments", {"amount": AMOUNT, "method": "promptpay"})
    fresh_world.advance(15 * 60)
    event = fresh_world.next_event("payment.expired")
    assert event["data"]["object"]["id"] == payment["id"]


@pytest.fixture
def receiver(fresh_world):
    """A receiver that verifies. Put your own server in its place: it takes the secret, and says where it listens."""
    webhook = Webhook(fresh_world.webhook_secret)

    class Receiver(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            try:
                webhook.verify(body, dict(self.headers.items()))
                self.send_response(204)
            except (WebhookVerificationError, ValueError):
                self.send_response(400)
            self.end_headers()

        def log_request(self, *_):
            """Prints nothing."""

    with HTTPServer(("127.0.0.1", 0), Receiver) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/webhooks"
        server.shutdown()


def test_the_receiver_takes_a_webhook_and_refuses_a_forged_one(fresh_world, receiver):
    payment = fresh_world.post("/payments", {"amount": AMOUNT, "method": "promptpay"})
    fresh_world.post(f"/test/payments/{payment['id']}/simulate", {"outcome": "succeeded"})
    webhook = fresh_world.next_webhook("payment.succeeded")
    assert status_of(receiver, webhook.body, webhook.headers) == 204
    assert status_of(receiver, webhook.body.replace("129900", "1"), webhook.headers) == 400


def status_of(url, body, headers):
    request = urllib.request.Request(url, body.encode(), headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request) as response:
            return response.status
    except urllib.error.HTTPError as error:
        return error.code
