/** `nextEvent` of a test world. */
export type NextEvent = (type: 'payout.paid', options: { readonly timeoutMs: number }) => Promise<unknown>;
type Arguments = Parameters<NextEvent>;

/** The ways in which tests call `nextEvent`. Each takes its arguments in the line in which it calls it. */
const FORMS: Readonly<Record<string, (nextEvent: NextEvent, take: () => Arguments) => Promise<unknown>>> = {
  plain: async (nextEvent, take) => {
    await nextEvent(...take());
  },
  'after others': async (nextEvent, take) => {
    await pause();
    await nextEvent(...take());
  },
  'in a loop': async (nextEvent, take) => {
    for (let turn = 0; turn < 9; turn += 1) {
      await pause();
      await nextEvent(...take());
    }
  },
  'by a helper': async (nextEvent, take) => {
    const helper = () => nextEvent(...take());
    await pause();
    await helper();
  },
  'by an asynchronous helper': async (nextEvent, take) => {
    const helper = async () => {
      await pause();
      return await nextEvent(...take());
    };
    await helper();
  },
  'in a generator of for await': async (nextEvent, take) => {
    async function* events() {
      await pause();
      yield await nextEvent(...take());
    }
    for await (const _event of events()) {
      await pause();
    }
  },
  'as an item of for await': async (nextEvent, take) => {
    for await (const _event of [nextEvent(...take()), 1]) {
      await pause();
    }
  },
  'in a method': async (nextEvent, take) => {
    class Shop {
      async paid() {
        return nextEvent(...take());
      }
    }
    await new Shop().paid();
  },
  'in Promise.all': async (nextEvent, take) => {
    await Promise.all([pause(), nextEvent(...take())]);
  },
  'in Promise.all, for each of a list': async (nextEvent, take) => {
    await pause();
    await Promise.all([1, 2, 3].map(() => nextEvent(...take())));
  },
  'in Promise.race': async (nextEvent, take) => {
    await Promise.race([nextEvent(...take()), new Promise(() => undefined)]);
  },
  'in then': async (nextEvent, take) => {
    await pause().then(() => nextEvent(...take()));
  },
  'awaited later': async (nextEvent, take) => {
    const event = nextEvent(...take());
    await Promise.allSettled([event]);
    await event;
  },
};

/**
 * Calls `nextEvent` in each form, and compares the first line of its error's stack that is not of the package with the
 * line that called it.
 * @param nextEvent one that is refused
 * @param timeoutMs how long it may wait
 * @param isOfPackage whether a line of a stack is in the package
 * @returns the forms whose error begins elsewhere, with their stacks
 */
export async function misledForms(
  nextEvent: NextEvent,
  timeoutMs: number,
  isOfPackage: (frame: string) => boolean,
): Promise<Record<string, string>> {
  const misled: Record<string, string> = {};
  for (const [name, form] of Object.entries(FORMS)) {
    let line: string | undefined;
    const take = (): Arguments => {
      // Its own line, then that of its caller.
      line = placesIn(new Error().stack)[1];
      return ['payout.paid', { timeoutMs }];
    };
    const error = await form(nextEvent, take).then(
      () => new Error('an event came'),
      (reason: Error) => reason,
    );
    const [first] = placesIn(error.stack).filter((frame) => !isOfPackage(frame));
    if (first === undefined || first !== line) {
      misled[name] = `${line}: ${error.stack}`;
    }
  }
  return misled;
}

/** The files and lines of a stack, without what has none, such as `Array.map`. */
function placesIn(stack = ''): string[] {
  return [...stack.matchAll(/^\s+at .*?((?:file:\/\/)?\/[^()\s]+:\d+):\d+\)?$/gm)].map(
    ([, frame = '']) => frame,
  );
}

async function pause(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1));
}
