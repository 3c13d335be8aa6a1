import { MINUTE_MS, SECOND_MS } from '../../domain/clock.ts';
import { LINK_POSTS_PER_MINUTE, LINK_POSTS_PER_SOURCE } from '../../domain/payment-link.ts';
import { sha256Hex } from '../../domain/secret.ts';
import type { World } from '../../domain/world.ts';
import { writeOne } from '../table/commit.ts';
import { update } from '../table/item.ts';
import { linkPostsKey } from '../table/keys.ts';
import { TABLE } from '../table/table.ts';

/** Source addresses share 4,096 counters (3 hexadecimal digits), so that the item of a minute stays below 1 KB. */
const SOURCE_CHARS = 3;
const KEPT_SECONDS = 60 * 60;

/**
 * Counts a form that was sent to a link: one conditional write to the item of this minute of real time.
 * @returns null where the form may be taken, else the seconds until the next minute begins
 */
export async function countLinkPost(
  world: Pick<World, 'id' | 'epoch'>,
  linkId: string,
  source: string,
  realNowMs: number,
): Promise<number | null> {
  const minute = Math.floor(realNowMs / MINUTE_MS);
  const endsAtSeconds = ((minute + 1) * MINUTE_MS) / SECOND_MS;
  return (await writeOne(
    update(linkPostsKey(world, linkId, minute), 'SET #ttl = :ttl ADD #all :one, #source :one', {
      condition:
        '(attribute_not_exists(#all) OR #all < :allMax) AND (attribute_not_exists(#source) OR #source < :sourceMax)',
      names: {
        '#ttl': TABLE.ttl,
        '#all': 'posts',
        '#source': `from${sha256Hex(source).slice(0, SOURCE_CHARS)}`,
      },
      values: {
        ':ttl': endsAtSeconds + KEPT_SECONDS,
        ':one': 1,
        ':allMax': LINK_POSTS_PER_MINUTE,
        ':sourceMax': LINK_POSTS_PER_SOURCE,
      },
    }),
  ))
    ? null
    : Math.ceil(endsAtSeconds - realNowMs / SECOND_MS);
}
