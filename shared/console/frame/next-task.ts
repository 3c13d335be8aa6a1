/// <reference lib="dom" />

/** Resolves in the next task of the page, so that what the user does, and what is to be drawn, can come before it. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
