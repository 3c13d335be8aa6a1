/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { parseAmount } from '../../domain/parse-amount.ts';
import type { ListedKind } from '../../story/lists.ts';
import type { ConsoleOperation, Parameter } from '../../story/read-operations.ts';
import { addressOf, type DashboardRoute } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { currentRoute } from '../call/use-route.ts';
import { AMOUNT_FILTER, filterName, filterValue } from './filter-words.ts';
import { filtersOf, setFilters, timePresets } from './list-query.ts';
import { listViewTexts } from './list-view-texts.ts';

const texts = listViewTexts.filter;

interface ChipsProps {
  readonly kind: Pick<ListedKind, 'resource'>;
  readonly operation: ConsoleOperation;
  readonly route: DashboardRoute;
}

/** The filters of a list: those that the address sets, as chips, and a form for one more. */
export function FilterChips({ kind: { resource }, operation, route }: ChipsProps) {
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
          aria-label={texts.remove(filterName(name), filterValue(name, value, resource))}
        >
          {filterName(name)}: <b>{filterValue(name, value, resource)}</b> <span aria-hidden="true">×</span>
        </a>
      ))}
      {filters.some(({ name }) => name === 'day') && <TimePresets route={route} />}
      <label class="unseen" for="filter-name">
        {texts.label}
      </label>
      <select id="filter-name" value={chosen} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {filters.map(({ name }) => (
          <option key={name} value={name}>
            {filterName(name)}
          </option>
        ))}
      </select>
      <FilterValue
        key={chosen}
        filter={filter}
        resource={resource}
        onValue={(value) => {
          location.hash = addressWith(currentRoute(), chosen, value);
        }}
      />
    </div>
  );
}

/** The times that are asked for most: a calendar is under "day". */
function TimePresets({ route: { path, query } }: { readonly route: DashboardRoute }) {
  const { clock } = useDashboard();
  const { after: _page, day: _day, created_from: _from, created_to: _to, ...others } = query;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <span class="switch" role="group" aria-label={texts.presets.label}>
      {timePresets(clock.now()).map(([name, times]) => {
        const isSet = Object.entries(times).every(([filter, value]) => query[filter] === value);
        return (
          <a
            key={name}
            class="button small"
            aria-current={isSet ? 'true' : undefined}
            href={addressOf(path, isSet ? others : { ...others, ...times })}
          >
            {texts.presets[name]}
          </a>
        );
      })}
    </span>
  );
}

interface ValueProps {
  readonly filter: Parameter;
  readonly resource: ListedKind['resource'];
  readonly onValue: (value: string) => void;
}

function FilterValue({ filter: { name, schema }, resource, onValue }: ValueProps) {
  const [text, setText] = useState('');
  const label = name === AMOUNT_FILTER ? texts.inBaht(filterName(name)) : filterName(name);
  if (schema.enum !== undefined) {
    return (
      <select
        id="filter-value"
        aria-label={label}
        value=""
        onChange={({ currentTarget }) => onValue(currentTarget.value)}
      >
        <option value="">{texts.any}</option>
        {schema.enum.map((choice) => (
          <option key={choice} value={String(choice)}>
            {filterValue(name, String(choice), resource)}
          </option>
        ))}
      </select>
    );
  }
  const submit = (event: Event) => {
    event.preventDefault();
    const minor = name === AMOUNT_FILTER ? parseAmount(text) : null;
    onValue(minor === null ? text.trim() : String(minor));
    setText('');
  };
  const common = {
    id: 'filter-value',
    'aria-label': label,
    value: text,
    onInput: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setText(currentTarget.value),
  };
  return (
    <form class="row" noValidate autocomplete="off" onSubmit={submit}>
      {schema.format === 'date' ? (
        <input {...common} type="date" />
      ) : (
        <input {...common} type="text" placeholder={schema.format === 'date-time' ? texts.dateTime : label} />
      )}
      <button type="submit" class="small">
        {texts.apply}
      </button>
    </form>
  );
}
