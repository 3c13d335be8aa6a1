import { setTimeout as sleep } from 'node:timers/promises';

const WIDTH = 30;
const LOOK_EVERY_MS = 300;

/** `[##########--------------------]  100/300 payments` */
function progressBar(done: number, total: number, what: string): string {
  const share = total === 0 ? 1 : Math.min(1, Math.max(0, done / total));
  const filled = Math.floor(share * WIDTH);
  const count = String(Math.min(done, total)).padStart(String(total).length);
  return `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]  ${count}/${total} ${what}`;
}

export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

export interface Progress {
  readonly total: number;
  readonly what: string;
  readonly count: () => Promise<number>;
}

/** Waits for work and shows its progress on a terminal. Without a terminal, it shows and counts nothing. */
export async function withProgress<T>(
  work: Promise<T>,
  screen: Screen,
  { total, what, count }: Progress,
): Promise<T> {
  if (screen.isTTY !== true) {
    return work;
  }
  const draw = (done: number) => screen.write(`\r${progressBar(done, total, what)}`);
  let isOver = false;
  const end = work
    .catch(() => undefined)
    .finally(() => {
      isOver = true;
    });
  draw(0);
  while (!isOver) {
    await Promise.race([end, sleep(LOOK_EVERY_MS)]);
    // The work continues even if counting fails.
    const done = isOver ? null : await count().catch(() => null);
    if (done !== null) {
      draw(done);
    }
  }
  try {
    const result = await work;
    draw(total);
    return result;
  } finally {
    screen.write('\n');
  }
}
