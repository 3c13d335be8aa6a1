from pathlib import Path


def test_waits_until_it_is_killed(world):
    Path("started").write_text(world.base_url)
    world.next_event("payment.succeeded", timeout=600)
