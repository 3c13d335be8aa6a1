/// <reference lib="dom" />
import { renderSVG } from 'uqr';
import { CopyButton } from './copy-button.tsx';
import { download } from './download.ts';
import { showTexts } from './show-texts.ts';

const texts = showTexts.page;
/** ISO/IEC 18004: scanners need four light modules around a QR. */
const QR_OPTIONS = { ecc: 'M', border: 4 } as const;

interface PageAddressProps {
  readonly address: string;
  /** The name of the file of the QR. */
  readonly name: string;
  /** Whether payers can still pay there. */
  readonly isActive: boolean;
}

/** The address of a payer's page: to open, to copy, and as a QR to save, which is made here. */
export function PageAddress({ address, name, isActive }: PageAddressProps) {
  return (
    <span class="stack page-address">
      <span class="mono">{address}</span>
      <span class="tools">
        <a class="button small" href={address} target="_blank" rel="noreferrer">
          {texts.open}
        </a>
        <CopyButton text={address} />
        {isActive && (
          <button
            type="button"
            class="small"
            onClick={() => download(`${name}.svg`, 'image/svg+xml', [renderSVG(address, QR_OPTIONS)])}
          >
            {texts.saveQr}
          </button>
        )}
      </span>
    </span>
  );
}
