import type { ScenarioFields } from '../../shared/contract/testkit/scenarios.ts';
import { type NameReference, resolveReferences } from './references.ts';

/** What steps returned, by the names that they gave. */
export class NamedResults {
  readonly #results: Map<string, ScenarioFields>;
  readonly #names = new Map<string, string>();

  /** @param given what has a name before the first step */
  constructor(given: ReadonlyMap<string, { readonly id: string }>) {
    this.#results = new Map([...given].map(([name, { id }]) => [name, { id }]));
  }

  /** Names by the ids of resources. The second resource with one name is `order#2`. */
  get names(): ReadonlyMap<string, string> {
    return this.#names;
  }

  keep(name: string | undefined, result: ScenarioFields): void {
    if (name === undefined) {
      return;
    }
    this.#results.set(name, result);
    if (typeof result.id === 'string') {
      const count = [...this.#names.values()].filter((each) => each.replace(/#\d+$/, '') === name).length;
      this.#names.set(result.id, count === 0 ? name : `${name}#${count + 1}`);
    }
  }

  /** A value with its references replaced. */
  resolve(value: unknown): unknown {
    return resolveReferences(value, ({ name, fields }: NameReference) => {
      const path = fields.length === 0 ? ['id'] : fields;
      return path.reduce<unknown>((part, field) => Object(part)[field], this.#results.get(name));
    });
  }
}
