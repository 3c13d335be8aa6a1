/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { filtersOf, setFilters } from './list-query.ts';
import type { ConsoleOperation, Parameter } from './read-operations.ts';
import { addressOf, type PlaceRoute } from './route.ts';
import { goTo } from './use-route.ts';

interface ChipsProps {
  readonly operation: ConsoleOperation;
  readonly route: PlaceRoute;
}

/** The filters of a list: those that the address sets, as chips, and a form for one more. */
export function FilterChips({ operation, route: { path, query } }: ChipsProps) {
  const filters = filtersOf(operation);
  const [chosen, choose] = useState(filters[0]?.name ?? '');
  const filter = filters.find(({ name }) => name === chosen);
  const without = (name: string) => {
    const { [name]: _removed, after: _page, ...others } = query;
    return addressOf(path, others);
  };
  const set = (value: string) => {
    const { after: _page, ...others } = query;
    goTo(path, { ...others, [chosen]: value });
  };
  if (filter === undefined) {
    return null;
  }
  return (
    <div class="filters">
      {setFilters(operation, query).map(([name, value]) => (
        <a key={name} class="chip" href={without(name)} aria-label={`Remove the filter ${name}: ${value}`}>
          {name.replaceAll('_', ' ')}: <b>{value}</b> <span aria-hidden="true">×</span>
        </a>
      ))}
      <label class="unseen" for="filter-name">
        Filter
      </label>
      <select id="filter-name" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {filters.map(({ name }) => (
          <option key={name} value={name}>
            {name.replaceAll('_', ' ')}
          </option>
        ))}
      </select>
      <FilterValue key={chosen} filter={filter} onValue={set} />
    </div>
  );
}

interface ValueProps {
  readonly filter: Parameter;
  readonly onValue: (value: string) => void;
}

function FilterValue({ filter: { name, schema }, onValue }: ValueProps) {
  const [text, setText] = useState('');
  if (schema.enum !== undefined) {
    return (
      <select
        id="filter-value"
        aria-label={name}
        value=""
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        <option value="">any</option>
        {schema.enum.map((choice) => (
          <option key={choice} value={String(choice)}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  const submit = (event: Event) => {
    event.preventDefault();
    onValue(text.trim());
    setText('');
  };
  const common = {
    id: 'filter-value',
    'aria-label': name,
    value: text,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setText(currentTarget.value),
  };
  return (
    <form class="row" noValidate autocomplete="off" onSubmit={submit}>
      {schema.format === 'date' ? (
        <input {...common} type="date" />
      ) : (
        <input {...common} type="text" placeholder={schema.format ?? name.replaceAll('_', ' ')} />
      )}
      <button type="submit" class="small">
        Filter
      </button>
    </form>
  );
}
