"""What schemathesis needs to get past the door of this service: a new Idempotency-Key for each request, and ids of
things that are there, in every state. Loaded by `node test/document/run.ts`."""

import atexit
import itertools
import json
import os
import re
import unicodedata
import uuid
from collections import Counter
from urllib.parse import unquote

import requests
import schemathesis
from schemathesis.core.parameters import ParameterLocation

BASE_URL = os.environ["BASE_URL"]
EXCEPTIONS = json.loads(os.environ["EXCEPTIONS"])
# Room for some that are created, and no more than a world may have.
SINKS = 14
BAHT = {"currency": "THB", "minor": 129_900}

session = requests.Session()
session.headers["Authorization"] = f"Bearer {os.environ['KEY']}"


def call(method, path, body=None):
    headers = {} if method == "GET" else {"Idempotency-Key": str(uuid.uuid4())}
    response = session.request(method, f"{BASE_URL}/api/v1{path}", json=body, headers=headers)
    response.raise_for_status()
    return response.json()


# --- things in the state that an operation is for, made when it is called ---


def new_payment():
    return call("POST", "/payments", {"amount": BAHT, "method": "promptpay"})


def new_paid_payment():
    payment = new_payment()
    call("POST", f"/test/payments/{payment['id']}/simulate", {"outcome": "succeeded"})
    return payment


def new_refund():
    return call("POST", f"/payments/{new_paid_payment()['id']}/refunds", {})


def new_payout():
    new_paid_payment()
    settled = call("POST", "/test/settlements/simulate", {"provider": f"bank_{uuid.uuid4().hex}"})
    return {"id": settled["payout_id"]}


def new_link():
    return call("POST", "/payment-links", {"amount": {"type": "open"}})


def last_part(address):
    return address.rsplit("/", 1)[-1]


def new_checkout():
    return {"token": last_part(call("POST", "/payments", {"amount": BAHT, "checkout": True})["checkout_url"])}


def new_qr():
    payment = call("POST", "/payments", {"amount": BAHT, "checkout": True, "method": "promptpay"})
    return {"token": payment["next_action"]["qr"]["image_svg_url"].split("/")[-2]}


NEW = {
    "POST /api/v1/payments/{id}/cancel": new_payment,
    "POST /api/v1/payments/{id}/refunds": new_paid_payment,
    "POST /api/v1/refunds/{id}/cancel": new_refund,
    "POST /api/v1/payment-links/{id}/disable": new_link,
    "POST /api/v1/test/payments/{id}/simulate": new_payment,
    "POST /api/v1/test/refunds/{id}/simulate": new_refund,
    "POST /api/v1/test/payouts/{id}/simulate": new_payout,
    "GET /checkout/{token}": new_checkout,
    "POST /checkout/{token}": new_checkout,
    "GET /checkout/{token}/qr.svg": new_qr,
}

# --- things that are there, in every state ---

call("POST", "/test/seed", {"profile": "e2e"})
links = call("GET", "/payment-links?limit=100")["data"]
sinks = call("GET", "/test/webhooks/sinks")["data"]
# Something for the sinks to receive, and one sink with a configured response.
new_payment()
call("POST", "/test/clock/advance", {"seconds": 1})
while len(call("GET", "/test/webhooks/sinks")["data"]) < SINKS:
    call("POST", "/test/webhooks/sinks", {})
failing = call("POST", "/test/webhooks/sinks", {"name": "failing"})
call("PATCH", f"/test/webhooks/sinks/{failing['id']}", {"respond_status": 503})
deliveries = [
    {"id": sink["id"], "delivery_id": delivery["id"]}
    for sink in sinks
    for delivery in call("GET", f"/test/webhooks/sinks/{sink['id']}/deliveries")["data"]
]


def ids(path):
    return [{"id": one["id"]} for one in call("GET", path)["data"]]


listed = {path: ids(f"{path}?limit=100") for path in json.loads(os.environ["LISTS"])}
PRESENT = {
    **{f"/api/v1{area}{path}/{{id}}": found for path, found in listed.items() for area in ("", "/test")},
    "/api/v1/test/webhooks/sinks/{id}/deliveries/{delivery_id}": deliveries,
    "/api/v1/test/webhooks/sinks/{id}": [{"id": sink["id"]} for sink in sinks],
    "/l/{code}": [{"code": link["code"]} for link in links],
    "/sink/{token}": [{"token": last_part(sink["url"])} for sink in [*sinks, failing]],
    "/errors/{code}": [{"code": "invalid_state"}, {"code": "validation_failed"}],
}

present = {path: itertools.cycle(found) for path, found in PRESENT.items() if found}
turns = Counter()
OWN_IDS = set(json.loads(os.environ["OWN_IDS"]))


def params_for(operation):
    """By turns: new ones in the right state, one that is there in any state, and what was generated."""
    turns[operation.label] += 1
    turn = turns[operation.label] % 4
    if turn in (1, 3) and operation.label in NEW:
        return NEW[operation.label]()
    place = next((path for path in present if operation.path.startswith(path)), None)
    return None if place is None or turn == 0 else next(present[place])


def readable(value):
    """The same without control and invisible characters: text has none, which no pattern says in every language."""
    if isinstance(value, str):
        return "".join("-" if unicodedata.category(one) in ("Cc", "Cf") else one for one in value)
    if isinstance(value, list):
        return [readable(one) for one in value]
    if isinstance(value, dict):
        return {readable(name): readable(one) for name, one in value.items()}
    return value


@schemathesis.hook
def before_call(context, case, kwargs):
    meta = case.meta
    if meta is None:
        # A check's own request, which differs from a generated one in what it checks.
        return
    # Also where the headers of a case that is valid for the rest of it were left over from one that is not.
    if case.headers and (meta.generation.mode.is_positive or not meta.is_negative_at(ParameterLocation.HEADER)):
        if "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = str(uuid.uuid4())
        if "PG-Version" in case.headers:
            # No pattern distinguishes days that exist from those that do not.
            case.headers["PG-Version"] = "2027-02-28"
    if isinstance(case.body, dict) and not meta.is_negative_at(ParameterLocation.BODY):
        case.body = readable(case.body)
    if not case.path_parameters or meta.is_negative_at(ParameterLocation.PATH):
        return
    params = params_for(case.operation)
    if params is not None:
        case.path_parameters.update({name: params[name] for name in case.path_parameters if name in params})
    if isinstance(case.body, dict) and not meta.is_negative_at(ParameterLocation.BODY):
        # Where a body repeats the id of the path, it is the same one.
        for name in OWN_IDS.intersection(case.body):
            case.body[name] = unquote(case.path_parameters["id"])


# --- what is known, and why ---

used = Counter()


def problem_of(response):
    try:
        body = response.json()
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def has_null(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return value is None or any(has_null(one) for one in inner)


def explains(rule, failure, case, response):
    return (
        rule["rule"] == type(failure).__name__
        and re.search(rule["where"], case.operation.label) is not None
        and rule.get("status", response.status_code) == response.status_code
        and rule.get("code", None) in (None, problem_of(response).get("code"))
        and (not rule.get("hasNull") or has_null(case.body))
    )


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops a failure that is explained; one for the sake of fields, where each of them is."""
    rules = [
        (place, rule)
        for place, rule in enumerate(EXCEPTIONS)
        if explains(rule, failure, case, response)
    ]
    whole = [place for place, rule in rules if "field" not in rule]
    if whole:
        used[whole[0]] += 1
        return False
    errors = [f"{error.get('field')} {error.get('code')}" for error in problem_of(response).get("errors", [])]
    found = [[place for place, rule in rules if re.search(rule["field"], error)] for error in errors]
    if not found or not all(found):
        return True
    used.update(places[0] for places in found)
    return False


@atexit.register
def tell_used():
    with open(os.environ["USED_FILE"], "w", encoding="utf-8") as file:
        json.dump([used[place] for place in range(len(EXCEPTIONS))], file)
