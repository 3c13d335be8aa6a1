import type { ComponentChildren } from 'preact';

interface BahtInputProps {
  readonly id: string;
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly fault: ComponentChildren;
  readonly isDisabled: boolean;
}

/** An amount that is typed in baht, beside what it is the amount of. `BahtFault` has what is wrong with it. */
export function BahtInput({ id, label, text, onText, fault, isDisabled }: BahtInputProps) {
  return (
    <>
      <input
        id={id}
        type="text"
        inputMode="decimal"
        autocomplete="off"
        aria-label={label}
        aria-describedby={`${id}.error`}
        aria-invalid={fault === undefined ? 'false' : 'true'}
        disabled={isDisabled}
        value={isDisabled ? '' : text}
        onInput={({ currentTarget }) => onText(currentTarget.value)}
      />
      <span aria-hidden="true">฿</span>
    </>
  );
}

export function BahtFault({ id, fault }: Pick<BahtInputProps, 'id' | 'fault'>) {
  return (
    <span class="error" id={`${id}.error`} hidden={fault === undefined}>
      {fault}
    </span>
  );
}
