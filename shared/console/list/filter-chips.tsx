/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import type { ConsoleOperation, Parameter } from '../../story/read-operations.ts';
import { addressOf, type DashboardRoute } from '../../story/route.ts';
import { currentRoute } from '../call/use-route.ts';
import { filtersOf, setFilters } from './list-query.ts';

interface ChipsProps {
  readonly operation: ConsoleOperation;
  readonly route: DashboardRoute;
}

/** The filters of a list: those that the address sets, as chips, and a form for one more. */
export function FilterChips({ operation, route }: ChipsProps) {
  const filters = filtersOf(operation);
  const [chosen, choose] = useState(filters[0]?.name ?? '');
  const filter = filters.find(({ name }) => name === chosen);
  // On the first page again: a cursor belongs to the filters that it was made with.
  const addressWith = ({ path, query }: DashboardRoute, name: string, value: string) => {
    const { after: _page, ...others } = query;
    return addressOf(path, { ...others, [name]: value });
  };
  if (filter === undefined) {
    return null;
  }
  return (
    <div class="filters">
      {setFilters(operation, route.query).map(([name, value]) => (
        <a
          key={name}
          class="chip"
          href={addressWith(route, name, '')}
          aria-label={`Remove the filter ${name}: ${value}`}
        >
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
      <FilterValue
        key={chosen}
        filter={filter}
        onValue={(value) => {
          location.hash = addressWith(currentRoute(), chosen, value);
        }}
      />
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
        <input
          {...common}
          type="text"
          placeholder={schema.format === 'date-time' ? schema.format : name.replaceAll('_', ' ')}
        />
      )}
      <button type="submit" class="small">
        Filter
      </button>
    </form>
  );
}
