import type { AnyMachine } from '../domain/machine.ts';
import { type CommandNameOf, REPORTED_NAMES, RESOURCES, type ReportedName } from '../domain/resource.ts';
import { type Html, html } from '../pages/html.ts';
import { inlineText } from './inline-text.ts';
import { BOX, layoutStates } from './state-layout.ts';

type CommandTexts = {
  readonly [Name in ReportedName]: Readonly<Record<CommandNameOf<Name>, string>>;
};

/** What makes a status change, in words. */
const COMMAND_TEXTS: CommandTexts = {
  payment: {
    requireAction: 'a method is chosen',
    hold: 'the provider has not decided',
    mismatch: 'another amount arrives',
    succeed: 'the provider reports success',
    fail: 'the provider reports a failure',
    cancel: 'you cancel it',
    expire: 'its time is over',
  },
  refund: {
    approve: 'it is approved',
    reject: 'it is rejected',
    cancel: 'you cancel it',
    send: 'it is handed to the provider',
    succeed: 'the provider reports success',
    fail: 'the provider reports a failure',
  },
  paymentLink: { disable: 'you disable it' },
  payout: {
    pay: 'the bank accepts it',
    return: 'the bank sends it back',
    fail: 'the bank cannot pay it out',
  },
  settlement: {},
  webhookEndpoint: {
    requested: 'you disable it (reason `requested`)',
    gone: 'your server answers 410 (reason `gone`)',
    failing: 'your server has failed for five days (reason `failing`)',
    enable: 'you enable it',
  },
};

/** A change of status that the machine allows; several commands may lead the same way. */
interface Transition {
  readonly from: string;
  readonly to: string;
  readonly commands: readonly string[];
}

/** The machine of an object, or undefined where it has none. */
export function machineOf(object: string): AnyMachine | undefined {
  const name = nameOf(object);
  return name && (RESOURCES[name].machine ?? undefined);
}

/** The resource that an object of the API shows. */
function nameOf(object: string): ReportedName | undefined {
  return REPORTED_NAMES.find((name) => name.charAt(0).toUpperCase() + name.slice(1) === object);
}

/** What the machine allows, in its order: changes of status, and commands after which the status is the same. */
function transitionsOf(machine: AnyMachine): Transition[] {
  return Object.entries(machine).flatMap(([from, commands]) => {
    const byTarget = Map.groupBy(Object.entries(commands) as [string, string][], ([, to]) => to);
    return [...byTarget].map(([to, entries]) => ({
      from,
      to,
      commands: entries.map(([command]) => command),
    }));
  });
}

/**
 * The states as boxes, and the changes as arrows. The table beneath it says the same in words.
 */
export function renderStateDiagram(object: string, machine: AnyMachine): Html {
  const name = nameOf(object);
  const texts: Readonly<Record<string, string>> = name === undefined ? {} : COMMAND_TEXTS[name];
  const transitions = transitionsOf(machine);
  const { width, height, boxes, paths } = layoutStates(Object.keys(machine), transitions);
  const arrows = paths.map((path) => html`<path d="${path}" marker-end="url(#head)"/>`);
  const groups = boxes.map(
    ({ state, x, y }) =>
      html`<g><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 5}">${state}</text></g>`,
  );
  const rows = transitions.map(
    ({ from, to, commands }) =>
      html`<tr><td><code>${from}</code></td><td>${inlineText(commands.map((command) => texts[command]).join(', '))}</td><td><code>${to}</code></td></tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Diagram of statuses">
<svg class="states" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The statuses of ${object}, and how one leads to another: the table below lists them">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>
${arrows}${groups}
</svg>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Changes of status"><table>
<thead><tr><th scope="col">From</th><th scope="col">By</th><th scope="col">To</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}
