/** The style of the story of a resource. */
export const STORY_STYLE = `
.story { display: grid; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.2rem; }
.story > li { position: relative; display: grid; gap: .2rem; padding: 0 0 1.1rem 1.6rem; border-left: 2px solid var(--line); margin-left: .4rem; overflow-wrap: anywhere; }
.story > li::before { content: ""; position: absolute; left: -.5rem; top: .35rem; width: .85rem; height: .85rem; border-radius: 50%; background: var(--edge); border: 2px solid var(--card); }
.story > li:has(.gap)::before { top: 2rem; }
.story > .t-dot-good::before { background: var(--good); }
.story > .t-dot-bad::before { background: var(--bad); }
.story > .t-dot-open::before { background: var(--warn); }
.story > li:last-child { padding-bottom: 0; }
.story > .ahead { border-left-style: dotted; justify-items: start; color: var(--soft); }
.story > .ahead::before { background: var(--card); border-color: var(--edge); }
.story-page { container-type: inline-size; }
.story-columns { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; align-items: start; }
@container (min-width: 58rem) { .story-columns { grid-template-columns: minmax(0, 1fr) 23rem; } }
.story-columns .facts-list { gap: .6rem; grid-template-columns: minmax(0, 1fr); }
.story-columns .facts-list > div { display: grid; grid-template-columns: 7.5rem minmax(0, 1fr); gap: .75rem; align-items: baseline; }
.resource-head { display: grid; gap: .25rem; min-width: 0; }
.resource-head h2 { font-size: 1.75rem; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.resource-head .names { color: var(--soft); overflow-wrap: anywhere; }
.possible { display: flex; flex-wrap: wrap; gap: .6rem 1.5rem; }
.gap { color: var(--soft); font-size: .8rem; padding-bottom: .35rem; }
.attempts { display: grid; gap: .4rem; margin-top: .3rem; }
.attempts li { display: grid; grid-template-columns: auto minmax(0, 1fr) auto; gap: .55rem; align-items: start; font-size: .86rem; }
@container (max-width: 34rem) { .attempts li { grid-template-columns: auto minmax(0, 1fr); } .attempts button { grid-column: 2; justify-self: start; } }
`;
