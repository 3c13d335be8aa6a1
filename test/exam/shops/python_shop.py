"""A shop with a webhook receiver that gets everything right, with the library standardwebhooks.

It keeps everything in memory. Start it with: PORT=3000 WEBHOOK_SECRET=whsec_… python python_shop.py
"""

import json
import os
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from standardwebhooks.webhooks import Webhook, WebhookVerificationError


class Shop:
    """Events come at least once and in any order. So it only collects facts that stay true, and derives the rest."""

    def __init__(self):
        # Each request has a thread of its own. The lock makes "look, then change" one step.
        self.lock = threading.Lock()
        self.event_ids = set()
        self.orders = {}  # by reference
        self.paid = defaultdict(dict)  # payments that succeeded: reference -> payment id -> amount
        self.refunded = defaultdict(dict)  # refunds that succeeded: payment id -> refund id -> amount

    def open_order(self, reference, amount):
        with self.lock:
            if reference not in self.orders:
                self.orders[reference] = {"amount": amount, "fulfilled": 0}
                # The event of its payment may have come before the order was known.
                self._fulfill(reference)

    def receive(self, event):
        with self.lock:
            if event["id"] in self.event_ids:
                return
            # All other types are ignored, also those that will be invented later. payment.expired, failed and
            # canceled need nothing either: a payer may still pay after them, and then payment.succeeded follows.
            if event["type"] == "payment.succeeded":
                payment = event["data"]["object"]
                self.paid[payment["reference"]][payment["id"]] = payment["amount"]
                self._fulfill(payment["reference"])
            elif event["type"] == "refund.succeeded":
                # A refund names its payment only. It may come before the event of that payment.
                refund = event["data"]["object"]
                self.refunded[refund["payment_id"]][refund["id"]] = refund["amount"]
            # Last: if something failed above, the event is sent again, and is not taken for a duplicate.
            self.event_ids.add(event["id"])

    def probe(self, reference):
        """What the shop knows of an order; None if it does not know it."""
        with self.lock:
            if reference not in self.orders:
                return None
            refunds = [
                refund
                for payment_id in self.paid.get(reference, {})
                for refund in self.refunded.get(payment_id, {}).values()
            ]
            return {
                "paid": self._is_paid(reference),
                "fulfilled": self.orders[reference]["fulfilled"],
                "refunded_minor": sum(refund["minor"] for refund in refunds),
            }

    def _fulfill(self, reference):
        """Sends the goods of an order that is paid: once in its life, even if it is paid twice."""
        order = self.orders.get(reference)
        if order is not None and order["fulfilled"] == 0 and self._is_paid(reference):
            order["fulfilled"] += 1

    def _is_paid(self, reference):
        # A reference is only a text that the payment was created with. So the amount must be that of the order, too.
        due = self.orders[reference]["amount"]
        return any(
            paid["currency"] == due["currency"] and paid["minor"] >= due["minor"]
            for paid in self.paid.get(reference, {}).values()
        )


class Handler(BaseHTTPRequestHandler):
    shop = Shop()
    webhook = Webhook(os.environ["WEBHOOK_SECRET"])
    timeout = 15  # seconds without a byte, so that a stalled sender does not keep its thread

    def do_GET(self):
        self.respond(self.probe)

    def do_POST(self):
        self.respond({"/webhooks": self.receive, "/orders": self.open_order}.get(self.path, self.not_found))

    def receive(self):
        # The signature is of the bytes that were sent, so nothing may parse them before.
        body = self.read_body()
        try:
            event = self.webhook.verify(body, dict(self.headers.items()))
        except (WebhookVerificationError, ValueError) as error:
            # The library raises ValueError for a signature, or a body, that is malformed.
            return 400, {"error": str(error)}
        self.shop.receive(event)
        return 200, {}

    def open_order(self):
        order = json.loads(self.read_body())
        self.shop.open_order(order["reference"], order["amount"])
        return 200, {}

    def probe(self):
        url = urlsplit(self.path)
        state = self.shop.probe(parse_qs(url.query).get("reference", [""])[0])
        if url.path != "/probe" or state is None:
            return self.not_found()
        return 200, state

    def not_found(self):
        return 404, {"error": "Not found"}

    def read_body(self):
        return self.rfile.read(int(self.headers.get("content-length", 0)))

    def respond(self, operation):
        try:
            status, answer = operation()
        except Exception as error:
            # After a 500, the event is sent again later. The process goes on.
            self.log_error("%r", error)
            status, answer = 500, {"error": "Internal error"}
        body = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_request(self, *_):
        """Logs no requests, only errors."""


class Server(ThreadingHTTPServer):
    request_queue_size = 256  # by default 5, which makes a burst of events wait


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(os.environ.get("PORT", "0"))), Handler)
    print(f"Shop at http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
