import type { ComponentChildren } from 'preact';
import { addressOf, DEVELOPER_SECTIONS, hasSection, type Section, SHOP_SECTIONS } from '../../story/route.ts';
import { useDashboard } from '../call/dashboard-context.ts';
import { Menu } from '../show/menu.tsx';
import { frameTexts as texts } from './frame-texts.ts';

/** The sections in the bar at the foot of a phone: all others are under "More". */
const AT_FOOT: readonly Section[] = ['', 'payments', 'links', 'money'];

interface NavigationProps {
  readonly current: string;
  /** Whose dashboard it is, and what can be done about that. */
  readonly menu: ComponentChildren;
}

/** The name of the service. */
export function Brand() {
  return (
    <h1>
      <span class="mark" aria-hidden="true">
        ฿
      </span>
      <span>{texts.product}</span>
    </h1>
  );
}

/** The sections beside the page, on screens that are wide enough. */
export function Rail({ current, menu }: NavigationProps) {
  return (
    <nav class="rail" aria-label={texts.dashboard}>
      <Brand />
      <SectionLinks sections={SHOP_SECTIONS} current={current} />
      <p class="hint">{texts.developers}</p>
      <SectionLinks sections={DEVELOPER_SECTIONS} current={current} />
      {menu}
    </nav>
  );
}

/** The same at the foot of a phone: four sections, and the rest in a sheet. */
export function FootBar({ current, menu }: NavigationProps) {
  const others = [...SHOP_SECTIONS, ...DEVELOPER_SECTIONS].filter((section) => !AT_FOOT.includes(section));
  return (
    <nav class="foot" aria-label={texts.dashboard}>
      <SectionLinks sections={AT_FOOT} current={current} />
      <Menu id="more" class="sheet" button={texts.more}>
        <SectionLinks sections={others} current={current} />
        {menu}
      </Menu>
    </nav>
  );
}

interface LinksProps {
  readonly sections: readonly Section[];
  readonly current: string;
}

function SectionLinks({ sections, current }: LinksProps) {
  const { hasTestKit } = useDashboard();
  return (
    <div class="sections">
      {sections
        .filter((section) => hasSection(section, hasTestKit))
        .map((section) => (
          <a
            key={section}
            href={addressOf(section === '' ? [] : [section])}
            aria-current={section === current ? 'page' : undefined}
          >
            {texts.sections[section]}
          </a>
        ))}
    </div>
  );
}
