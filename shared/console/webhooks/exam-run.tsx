/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { examGroups, type ShownQuestionGroup } from '../../story/exam-groups.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { ShownText } from '../show/shown-text.tsx';
import { type ExamChoice, examCommand, FIRST_CHOICE, REPORT_FILES } from './exam-commands.ts';
import { examTexts } from './exam-texts.ts';

const texts = examTexts.run;
const YOUR_KEY = 'pg_test_your_key';
const ADDRESS_NAMES = Object.keys(FIRST_CHOICE.addresses) as (keyof ExamChoice['addresses'])[];
const REPORT_NAMES = Object.keys(REPORT_FILES) as (keyof typeof REPORT_FILES)[];
const GROUPS = examGroups();

/** The command that examines the shop, which writes itself as boxes are ticked. */
export function ExamRun() {
  const [choice, setChoice] = useState(FIRST_CHOICE);
  const { root, gate } = useDashboard();
  const change = (changed: Partial<ExamChoice>) => setChoice({ ...choice, ...changed });
  const key = gate.shownKey();
  return (
    <section class="part" aria-label={texts.title}>
      <h3>{texts.title}</h3>
      <p>{texts.about(<code>pg</code>, <code>pg exam --print-secret</code>)}</p>
      <AddressFields choice={choice} onChange={change} />
      <GroupChoice choice={choice} onChange={change} />
      <ReportChoice choice={choice} onChange={change} />
      <ShownText
        name={texts.command}
        text={examCommand(location.origin + root, key ?? YOUR_KEY, choice)}
        copyOf={(text) => gate.withWholeKey(text)}
      />
      <p class="hint">{key === null ? texts.keyIsMissing : texts.keyIsCopied}</p>
    </section>
  );
}

interface ChoiceProps {
  readonly choice: ExamChoice;
  readonly onChange: (changed: Partial<ExamChoice>) => void;
}

function AddressFields({ choice: { addresses }, onChange }: ChoiceProps) {
  return (
    <div class="fields">
      {ADDRESS_NAMES.map((name) => (
        <div key={name} class="field">
          <label for={`exam.${name}`}>{texts.addresses[name]}</label>
          <input
            id={`exam.${name}`}
            type="text"
            inputMode="url"
            class="mono"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={addresses[name]}
            onInput={({ currentTarget }) =>
              onChange({ addresses: { ...addresses, [name]: currentTarget.value } })
            }
          />
        </div>
      ))}
    </div>
  );
}

/** Nothing ticked but "all" asks every question. */
function GroupChoice({ choice: { groups }, onChange }: ChoiceProps) {
  const turn = (group: ShownQuestionGroup['group'], isOn: boolean) => {
    const chosen = GROUPS.map((each) => each.group).filter((each) =>
      each === group ? isOn : groups?.includes(each),
    );
    onChange({ groups: chosen.length === 0 ? null : chosen });
  };
  return (
    <fieldset class="boxes">
      <legend>{texts.questions}</legend>
      <label class="keep">
        <input type="checkbox" checked={groups === null} onChange={() => onChange({ groups: null })} />
        {texts.all}
      </label>
      {GROUPS.map(({ group, title }) => (
        <label key={group} class="keep">
          <input
            type="checkbox"
            checked={groups?.includes(group) === true}
            onChange={({ currentTarget }) => turn(group, currentTarget.checked)}
          />
          <span lang="en">{title}</span>
        </label>
      ))}
    </fieldset>
  );
}

function ReportChoice({ choice: { reports }, onChange }: ChoiceProps) {
  return (
    <fieldset class="boxes">
      <legend>{texts.reports}</legend>
      {REPORT_NAMES.map((name) => (
        <label key={name} class="keep">
          <input
            type="checkbox"
            checked={reports.includes(name)}
            onChange={({ currentTarget }) =>
              onChange({
                reports: REPORT_NAMES.filter((each) =>
                  each === name ? currentTarget.checked : reports.includes(each),
                ),
              })
            }
          />
          {texts.files[name]}
        </label>
      ))}
    </fieldset>
  );
}
