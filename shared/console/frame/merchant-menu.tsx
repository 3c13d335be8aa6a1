/// <reference lib="dom" />
import { LANGUAGE_NAMES, type Language } from '../../domain/language.ts';
import { chooseLanguage, LANGUAGE } from '../../story/language.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { useRead } from '../call/use-read.ts';
import { frameTexts } from './frame-texts.ts';
import { showKeys } from './show-keys.tsx';

const texts = frameTexts.menu;

interface MerchantProps {
  readonly isOpen: boolean;
  readonly onWorld: () => void;
  readonly onForget: () => void;
}

/** Whose dashboard it is, its test world, the language, and the way out. */
export function MerchantMenu({ isOpen, onWorld, onForget }: MerchantProps) {
  const { hasTestKit, openDialog } = useDashboard();
  return (
    <section class="merchant" aria-label={texts.label}>
      {isOpen && <Identity />}
      <LanguageSwitch />
      <button type="button" class="quiet" onClick={() => void showKeys(openDialog, hasTestKit)}>
        {texts.keys}
      </button>
      {isOpen && hasTestKit && (
        <button type="button" class="quiet world" onClick={onWorld}>
          {texts.world}
        </button>
      )}
      {isOpen && (
        <button type="button" class="quiet forget" onClick={onForget}>
          {texts.forget}
        </button>
      )}
    </section>
  );
}

function Identity() {
  const key = useRead('keys.GetKey').response?.body ?? null;
  return (
    <p class="identity">
      <b>{key === null ? texts.connected : (key.merchant_name ?? key.merchant)}</b>{' '}
      <span class="pill t-open">{texts.mode(key?.mode ?? 'test')}</span>
      {key?.world.startsWith('wld_') && <span class="pill t-open">{key.label}</span>}
    </p>
  );
}

function LanguageSwitch() {
  const choose = (language: Language) => {
    chooseLanguage(language);
    location.reload();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <span class="switch" role="group" aria-label={texts.language}>
      {(Object.keys(LANGUAGE_NAMES) as Language[]).map((language) => (
        <button
          key={language}
          type="button"
          class="small"
          lang={language}
          aria-pressed={language === LANGUAGE}
          onClick={() => choose(language)}
        >
          {LANGUAGE_NAMES[language]}
        </button>
      ))}
    </span>
  );
}
