/// <reference lib="dom" />

export type Child = Node | string | null | false | undefined;
/** A function listens to the event of that name. A boolean adds or omits the attribute. */
export type Props = Readonly<
  Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>
>;
export type Elements = ReturnType<typeof createElements>;

/** Creates elements only through the DOM: text of a response never becomes markup. */
export function createElements() {
  function el<Tag extends keyof HTMLElementTagNameMap>(
    tag: Tag,
    props: Props = {},
    ...children: Child[]
  ): HTMLElementTagNameMap[Tag] {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(props)) {
      if (typeof value === 'function') {
        element.addEventListener(name, value);
      } else if (typeof value === 'boolean') {
        element.toggleAttribute(name, value);
      } else if (value !== null && value !== undefined) {
        element.setAttribute(name, String(value));
      }
    }
    element.append(...children.filter((child) => typeof child === 'string' || child instanceof Node));
    return element;
  }

  /** The element with this id. */
  function byId<E extends HTMLElement>(id: string): E {
    const found = document.getElementById(id);
    if (found === null) {
      throw new Error(`the page has no #${id}`);
    }
    return found as E;
  }

  /** Text in which `code` is marked as in Markdown. */
  function prose(text: string): Child[] {
    return text.split('`').map((part, place) => (place % 2 === 1 ? el('code', {}, part) : part));
  }

  /**
   * Rebuilds an element if its content has changed, and keeps the focus on the element with the same name. While a
   * button is pressed, it waits for the next call, since the press would be lost. Null clears the element at once.
   */
  function refill(container: HTMLElement, shown: unknown, build: () => Child[]): void {
    const signature = JSON.stringify(shown);
    const isPressed = shown !== null && container.matches(':active');
    if (isPressed || signatures.get(container) === signature) {
      return;
    }
    signatures.set(container, signature);
    const focused = container.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-name')
      : null;
    container.replaceChildren(...(build().filter(Boolean) as (Node | string)[]));
    const again = [...container.querySelectorAll<HTMLElement>('[data-name]')];
    again.find((element) => element.dataset.name === focused)?.focus();
  }
  const signatures = new WeakMap<HTMLElement, string>();

  return { el, byId, prose, refill };
}
