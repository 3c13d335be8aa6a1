/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { showTexts } from './show-texts.ts';

interface CopyProps {
  readonly text: string;
  readonly copyOf?: (text: string) => string;
}

/** Copies a text, and says so until the text is another one. */
export function CopyButton({ text, copyOf = (whole) => whole }: CopyProps) {
  const [copied, setCopied] = useState<string | null>(null);
  const copy = async () => {
    await navigator.clipboard.writeText(copyOf(text));
    setCopied(text);
  };
  return (
    <button type="button" class="small copy" onClick={copy}>
      {copied === text ? showTexts.copied : showTexts.copy}
    </button>
  );
}
