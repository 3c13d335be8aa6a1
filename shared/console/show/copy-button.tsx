/// <reference lib="dom" />
import { useState } from 'preact/hooks';
import { showTexts } from './show-texts.ts';

/** Copies a text, and says so. */
export function CopyButton({ text }: { readonly text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
  };
  return (
    <button type="button" class="small copy" onClick={copy}>
      {isCopied ? showTexts.copied : showTexts.copy}
    </button>
  );
}
