/** A change from one state to another, or to itself. */
interface Edge {
  readonly from: string;
  readonly to: string;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/** What stands in a column: the box of a state, or the lane of the arrows that pass the column on their way to a state. */
interface Slot {
  readonly state?: string;
  readonly laneTo?: string;
}

/** Where the boxes of a diagram are, and the path of each edge, in the order of the edges. */
interface StateLayout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly (Point & { readonly state: string })[];
  readonly paths: readonly string[];
}

/* Sizes in the units of the drawing. */
export const BOX = { width: 132, height: 34 } as const;
const LANE_HEIGHT = 6;
const GAP = { x: 66, y: 20 } as const;
/** Room for the arrow over a box that leads to itself, too. */
const MARGIN = 14;

/**
 * The states in columns by how many changes may lead there, and the changes as arrows that go through no box: between two
 * columns they are curves, and what passes a column goes straight through a lane of its own there. Arrows to the same state
 * share their lanes.
 */
export function layoutStates(states: readonly string[], edges: readonly Edge[]): StateLayout {
  const columnOf = columnsOf(states, edges);
  const columns = sorted(slotsOf(states, edges, columnOf), edges);
  const heights = columns.map((slots) => slots.reduce((sum, slot) => sum + heightOf(slot) + GAP.y, -GAP.y));
  const tallest = Math.max(...heights);
  const places = new Map<string, Point>();
  for (const [column, slots] of columns.entries()) {
    let y = MARGIN + (tallest - (heights[column] ?? 0)) / 2;
    for (const slot of slots) {
      places.set(keyOf(slot, column), { x: MARGIN + column * (BOX.width + GAP.x), y });
      y += heightOf(slot) + GAP.y;
    }
  }
  const boxes = states.map((state) => ({ state, ...placeIn(places, state) }));
  return {
    width: columns.length * (BOX.width + GAP.x) - GAP.x + 2 * MARGIN,
    height: tallest + 2 * MARGIN,
    boxes,
    paths: edges.map((edge) => pathOf(edge, columnOf, places)),
  };
}

/** The column of each state: the longest way there. Only what leads back to the first state does not count. */
function columnsOf(states: readonly string[], edges: readonly Edge[]): ReadonlyMap<string, number> {
  const depths = new Map(states.map((state) => [state, 0]));
  const ahead = edges.filter(({ from, to }) => to !== states[0] && to !== from);
  for (const _ of states) {
    for (const { from, to } of ahead) {
      depths.set(to, Math.max(depths.get(to) ?? 0, (depths.get(from) ?? 0) + 1));
    }
  }
  return depths;
}

function slotsOf(
  states: readonly string[],
  edges: readonly Edge[],
  columnOf: ReadonlyMap<string, number>,
): Slot[][] {
  const columns: Slot[][] = Array.from({ length: Math.max(...columnOf.values()) + 1 }, () => []);
  for (const state of states) {
    columns[columnOf.get(state) ?? 0]?.push({ state });
  }
  for (const { from, to } of edges) {
    for (const column of passedColumns(from, to, columnOf)) {
      if (!columns[column]?.some(({ laneTo }) => laneTo === to)) {
        columns[column]?.push({ laneTo: to });
      }
    }
  }
  return columns;
}

/** The columns between two states, in the order of the arrow. */
function passedColumns(from: string, to: string, columnOf: ReadonlyMap<string, number>): number[] {
  const [start = 0, end = 0] = [columnOf.get(from), columnOf.get(to)];
  const step = Math.sign(end - start);
  return Array.from(
    { length: Math.max(Math.abs(end - start) - 1, 0) },
    (_, index) => start + (index + 1) * step,
  );
}

/** Each column by where its arrows come from, so that few of them cross. */
function sorted(columns: readonly Slot[][], edges: readonly Edge[]): Slot[][] {
  const done: Slot[][] = [];
  for (const slots of columns) {
    const before = done.at(-1) ?? [];
    const indexOf = (slot: Slot) => {
      const sources = before.flatMap((other, index) => (leads(other, slot, edges) ? [index] : []));
      return sources.length === 0
        ? before.length / 2
        : sources.reduce((sum, index) => sum + index, 0) / sources.length;
    };
    done.push(slots.toSorted((a, b) => indexOf(a) - indexOf(b)));
  }
  return done;
}

function leads(source: Slot, target: Slot, edges: readonly Edge[]): boolean {
  const goal = target.state ?? target.laneTo;
  return source.laneTo === goal || edges.some(({ from, to }) => from === source.state && to === goal);
}

function heightOf({ state }: Slot): number {
  return state === undefined ? LANE_HEIGHT : BOX.height;
}

function keyOf({ state, laneTo }: Slot, column: number): string {
  return state ?? `${laneTo} in ${column}`;
}

function placeIn(places: ReadonlyMap<string, Point>, key: string): Point {
  return places.get(key) ?? { x: 0, y: 0 };
}

/** From the edge of a box to the edge of another one that faces it; the way back is lower. Over a box, to itself. */
function pathOf(
  { from, to }: Edge,
  columnOf: ReadonlyMap<string, number>,
  places: ReadonlyMap<string, Point>,
): string {
  const [start, end] = [placeIn(places, from), placeIn(places, to)];
  if (from === to) {
    const [left, right, top] = [start.x + BOX.width / 3, start.x + (BOX.width * 2) / 3, start.y - MARGIN];
    return `M${left} ${start.y}C${left} ${top} ${right} ${top} ${right} ${start.y}`;
  }
  const isBack = end.x < start.x;
  const below = isBack ? (BOX.height * 4) / 5 : BOX.height / 2;
  const [near, far] = isBack ? [BOX.width, 0] : [0, BOX.width];
  const steps = passedColumns(from, to, columnOf).map((column) => {
    const lane = placeIn(places, keyOf({ laneTo: to }, column));
    const y = lane.y + LANE_HEIGHT / 2;
    return { enter: { x: lane.x + near, y }, leave: { x: lane.x + far, y } };
  });
  let at = { x: start.x + far, y: start.y + below };
  let path = `M${at.x} ${at.y}`;
  for (const { enter, leave } of steps) {
    path += `${curve(at, enter)}L${leave.x} ${leave.y}`;
    at = leave;
  }
  return path + curve(at, { x: end.x + near, y: end.y + below });
}

function curve(from: Point, to: Point): string {
  const middle = (from.x + to.x) / 2;
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}
