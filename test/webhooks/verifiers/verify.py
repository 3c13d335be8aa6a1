"""Says of each webhook in a file of JSON whether the Standard Webhooks library for Python takes it."""

import json
import sys

from standardwebhooks import Webhook, WebhookVerificationError


def is_taken(webhook: dict) -> bool:
    try:
        Webhook(webhook["secret"]).verify(webhook["body"].encode(), webhook["headers"])
    except WebhookVerificationError:
        return False
    return True


with open(sys.argv[1], encoding="utf-8") as file:
    print(json.dumps([is_taken(webhook) for webhook in json.load(file)]))
