import type { AnyMachine } from '../domain/machine.ts';
import { type CommandNameOf, REPORTED_NAMES, RESOURCES, type ReportedName } from '../domain/resource.ts';
import { type Html, html } from '../pages/html.ts';
import { inlineText } from './inline-text.ts';

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

/* Sizes in the units of the drawing. */
const BOX = { width: 132, height: 34 };
const GAP = { x: 66, y: 18 };
const MARGIN = 12;
/** How much lower every second column is, so that an arrow over a column does not hide behind a box. */
const STAGGER = (BOX.height + GAP.y) / 2;

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * The states as boxes, in columns by how many changes may lead there, and the changes as arrows. The table beneath it says
 * the same in words.
 */
export function renderStateDiagram(object: string, machine: AnyMachine): Html {
  const name = nameOf(object);
  const texts: Readonly<Record<string, string>> = name === undefined ? {} : COMMAND_TEXTS[name];
  const transitions = transitionsOf(machine);
  const columns = columnsOf(Object.keys(machine), transitions);
  const tallest = Math.max(...columns.map(({ length }) => length));
  const size = {
    width: columns.length * (BOX.width + GAP.x) - GAP.x + 2 * MARGIN,
    height: tallest * (BOX.height + GAP.y) - GAP.y + 2 * MARGIN + STAGGER,
  };
  const positions = new Map(
    columns.flatMap((states, column) => {
      const top =
        (size.height - STAGGER - states.length * (BOX.height + GAP.y) + GAP.y) / 2 + (column % 2) * STAGGER;
      return states.map((state, row): [string, Point] => [
        state,
        { x: MARGIN + column * (BOX.width + GAP.x), y: top + row * (BOX.height + GAP.y) },
      ]);
    }),
  );
  const arrows = transitions.map(
    ({ from, to }) =>
      html`<path d="${pathBetween(positions.get(from) as Point, positions.get(to) as Point)}" marker-end="url(#head)"/>`,
  );
  const boxes = [...positions].map(
    ([state, { x, y }]) =>
      html`<g><rect x="${x}" y="${y}" width="${BOX.width}" height="${BOX.height}" rx="8"/><text x="${x + BOX.width / 2}" y="${y + BOX.height / 2 + 5}">${state}</text></g>`,
  );
  const rows = transitions.map(
    ({ from, to, commands }) =>
      html`<tr><td><code>${from}</code></td><td>${inlineText(commands.map((command) => texts[command]).join(', '))}</td><td><code>${to}</code></td></tr>\n`,
  );
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Diagram of statuses">
<svg class="states" viewBox="0 0 ${size.width} ${size.height}" width="${size.width}" height="${size.height}" role="img" aria-label="The statuses of ${object}, and how one leads to another: the table below lists them">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path d="M0 0 8 4 0 8z"/></marker></defs>
${arrows}${boxes}
</svg>
</div>
<div class="scroll" tabindex="0" role="region" aria-label="Changes of status"><table>
<thead><tr><th scope="col">From</th><th scope="col">By</th><th scope="col">To</th></tr></thead>
<tbody>
${rows}</tbody>
</table></div>`;
}

/** States by the longest way that leads there, so that arrows point ahead; only the way back to the first one does not. */
function columnsOf(states: readonly string[], transitions: readonly Transition[]): string[][] {
  const depths = new Map(states.map((state) => [state, 0]));
  for (const _ of states) {
    for (const { from, to } of transitions.filter(
      (transition) => transition.to !== states[0] && transition.to !== transition.from,
    )) {
      depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(from) ?? 0) + 1));
    }
  }
  const columns = Map.groupBy(states, (state) => depths.get(state) ?? 0);
  return [...columns].toSorted(([a], [b]) => a - b).map(([, held]) => held);
}

/** From the edge of a box to the edge of another one that faces it; the way back is lower. Over a box, to itself. */
function pathBetween(from: Point, to: Point): string {
  if (from === to) {
    const [startX, endX, top] = [from.x + BOX.width / 3, from.x + (BOX.width * 2) / 3, from.y - MARGIN];
    return `M${startX} ${from.y}C${startX} ${top} ${endX} ${top} ${endX} ${from.y}`;
  }
  const isBack = to.x < from.x;
  const startX = isBack ? from.x : from.x + BOX.width;
  const endX = isBack ? to.x + BOX.width : to.x;
  const below = isBack ? (BOX.height * 4) / 5 : BOX.height / 2;
  const [startY, endY] = [from.y + below, to.y + below];
  const bend = (endX - startX) / 2;
  return `M${startX} ${startY}C${startX + bend} ${startY} ${endX - bend} ${endY} ${endX} ${endY}`;
}
