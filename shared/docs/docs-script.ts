/**
 * Gives the samples of a page tabs, whose choice is kept for all pages, and each block of code a button that copies it.
 * Without it, all samples are there to read and to select.
 */
export const DOCS_SCRIPT = `
const texts = document.body.dataset;
const CHOSEN = 'payments-docs-sample';
const storage = () => { try { return localStorage; } catch {} };
const make = (tag, attributes, text) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.textContent = text;
  return element;
};
const groups = [...document.querySelectorAll('.samples')].map((group, index) => {
  const panels = [...group.children];
  const list = make('div', { role: 'tablist', 'aria-label': texts.samples }, '');
  const tabs = panels.map((panel, place) => {
    const id = 'sample-' + index + '-' + place;
    panel.id = id;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', id + '-tab');
    panel.querySelector('.of').hidden = true;
    return make('button', { type: 'button', role: 'tab', id: id + '-tab', 'aria-controls': id }, panel.dataset.sample);
  });
  list.append(...tabs);
  group.prepend(list);
  const choose = (tab) => {
    const top = tab.getBoundingClientRect().top;
    storage()?.setItem(CHOSEN, tab.textContent);
    show(tab.textContent);
    scrollBy({ top: tab.getBoundingClientRect().top - top, behavior: 'instant' });
  };
  list.addEventListener('click', ({ target }) => { if (target !== list) choose(target); });
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    choose(next);
  });
  return { tabs, panels };
});
const show = (name) => {
  for (const { tabs, panels } of groups) {
    const shown = Math.max(0, tabs.findIndex((tab) => tab.textContent === name));
    tabs.forEach((tab, place) => {
      tab.setAttribute('aria-selected', place === shown);
      tab.tabIndex = place === shown ? 0 : -1;
      panels[place].hidden = place !== shown;
    });
  }
};
show(storage()?.getItem(CHOSEN));
const said = document.querySelector('[data-said]');
for (const block of navigator.clipboard ? document.querySelectorAll('.code') : []) {
  const button = make('button', { type: 'button', class: 'copy' }, texts.copy);
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code').textContent);
      button.textContent = said.textContent = texts.copied;
      setTimeout(() => { button.textContent = texts.copy; said.textContent = ''; }, 2000);
    } catch {}
  });
  block.append(button);
}
const contents = document.getElementById('contents');
contents.addEventListener('click', ({ target }) => { if (target.closest('a') && contents.matches(':popover-open')) contents.hidePopover(); });
`;
