/// <reference lib="dom" />
import { type FormTexts, joinPath } from '../call/form-values.ts';
import { factName } from '../show/show-texts.ts';
import { actTexts } from './act-texts.ts';
import { BahtFault, BahtInput } from './baht-input.tsx';
import type { Faults } from './faults.tsx';

const texts = actTexts.linkAmount;
const BOUNDS = ['min', 'max'] as const;

interface LinkAmountFieldProps {
  readonly name: string;
  readonly path: string;
  readonly id: string;
  readonly form: FormTexts;
  readonly onChange: (form: FormTexts) => void;
  readonly faults: Faults;
}

/** What a payment link asks for: one amount of every payer, or an amount that each payer enters, between two. */
export function LinkAmountField({ name, path, id, form, onChange, faults }: LinkAmountFieldProps) {
  const at = (field: string) => joinPath(path, field);
  const isOpen = form.texts[at('type')] === 'open';
  const write = (field: string, text: string) =>
    onChange({ ...form, texts: { ...form.texts, [at(field)]: text } });
  const choose = (type: 'fixed' | 'open') => {
    const others = Object.entries(form.texts).filter(([each]) => !each.startsWith(at('')));
    onChange({ ...form, texts: { ...Object.fromEntries(others), [at('type')]: type } });
  };
  const input = (field: 'fixed' | (typeof BOUNDS)[number]) => (
    <BahtInput
      id={`${id}.${at(field)}`}
      label={texts[field]}
      text={form.texts[at(field)] ?? ''}
      onText={(text) => write(field, text)}
      fault={faults[at(field)]}
      isDisabled={isOpen === (field === 'fixed')}
    />
  );
  return (
    <fieldset class="whole" id={`${id}.${path}`}>
      <legend>{factName(name)}</legend>
      <div class="tools">
        <label>
          <input
            type="radio"
            name={`${id}.${at('type')}`}
            checked={!isOpen}
            onChange={() => choose('fixed')}
          />
          {texts.same}
        </label>
        {input('fixed')}
      </div>
      <label>
        <input type="radio" name={`${id}.${at('type')}`} checked={isOpen} onChange={() => choose('open')} />
        {texts.entered}
      </label>
      {isOpen && (
        <div class="tools">
          {BOUNDS.map((bound) => (
            <span key={bound} class="tools">
              {texts.bounds[bound]} {input(bound)}
            </span>
          ))}
        </div>
      )}
      {['fixed', ...BOUNDS].map((field) => (
        <BahtFault key={field} id={`${id}.${at(field)}`} fault={faults[at(field)]} />
      ))}
      <BahtFault id={`${id}.${path}`} fault={faults[path]} />
    </fieldset>
  );
}
