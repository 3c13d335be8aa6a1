import { HOME_STYLE } from '../money/home-style.ts';
import { STORY_STYLE } from '../story/story-style.ts';
import { EXAM_STYLE } from '../webhooks/exam-style.ts';

/** The style of the console. Colours hold 4.5:1 for text and 3:1 for borders of controls, in light and in dark. */
export const CONSOLE_STYLE = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f6f7f9, #0e1116);
  --card: light-dark(#ffffff, #161b22);
  --sunk: light-dark(#f1f3f6, #0b0e13);
  --text: light-dark(#161b24, #e7ebf1);
  --soft: light-dark(#566071, #9aa6b6);
  --line: light-dark(#e0e4ea, #262d37);
  --edge: light-dark(#848e9c, #68758a);
  --accent: light-dark(#4338ca, #a5b0ff);
  --accent-ground: light-dark(#eceafd, #23264a);
  --on-accent: light-dark(#ffffff, #10122b);
  --good: light-dark(#0b6e43, #5fd39b);
  --good-ground: light-dark(#dff5ea, #10301f);
  --warn: light-dark(#8a4b00, #f0b35e);
  --warn-ground: light-dark(#fdf0dc, #35260d);
  --bad: light-dark(#b3173a, #ff8fa3);
  --bad-ground: light-dark(#fdeaee, #3b1420);
  --mono: ui-monospace, "SF Mono", "Cascadia Code", "JetBrains Mono", "DejaVu Sans Mono", monospace;
}
html { scroll-padding: 4.5rem 0 4.5rem; }
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; font: 15px/1.5 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif; color: var(--text); background: var(--ground); -webkit-text-size-adjust: 100%; }
h1, h2, h3, p, ul, ol { margin: 0; padding: 0; }
h1 { font-size: 1.05rem; letter-spacing: -.01em; display: flex; align-items: center; gap: .5rem; white-space: nowrap; }
h2 { font-size: 1.35rem; line-height: 1.25; letter-spacing: -.015em; outline: none; text-wrap: balance; overflow-wrap: anywhere; }
h3 { font-size: .75rem; font-weight: 650; color: var(--soft); text-transform: uppercase; letter-spacing: .06em; }
.text-head b { font-size: .8rem; color: var(--soft); font-weight: 600; }
.when-read { display: contents; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: 2px; }
code, pre, .mono { font-family: var(--mono); font-size: .86em; }
code { overflow-wrap: anywhere; }
p code { background: var(--sunk); padding: .1em .3em; border-radius: 4px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
main:focus, h2:focus-visible { outline: none; }
.hint { color: var(--soft); font-size: .82rem; }
.block { display: block; }
.thin { font-weight: 400; color: var(--soft); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.skip { position: absolute; left: -100vw; top: 0; z-index: 9; background: var(--card); padding: .6rem 1rem; }
.skip:focus { left: 0; }

input, select, textarea, button { font: inherit; color: inherit; }
input, select, textarea { width: 100%; min-width: 0; min-height: 2.35rem; padding: .35rem .6rem; background: var(--card); border: 1px solid var(--edge); border-radius: 8px; }
textarea { font-family: var(--mono); font-size: .86rem; line-height: 1.55; resize: vertical; }
::placeholder { color: var(--soft); opacity: 1; }
[aria-invalid="true"] { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
button { min-height: 2.35rem; padding: .35rem .9rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); cursor: pointer; white-space: nowrap; transition: background .12s, border-color .12s; }
button:hover { background: var(--accent-ground); border-color: var(--accent); }
button:disabled { color: var(--soft); background: var(--sunk); border-color: var(--line); cursor: default; }
button[aria-pressed="true"], [role="tab"][aria-selected="true"] { background: var(--accent-ground); border-color: var(--accent); color: var(--accent); }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.primary:hover { background: color-mix(in oklab, var(--accent) 82%, var(--text)); border-color: var(--accent); }
.small { min-height: 1.75rem; padding: .1rem .55rem; font-size: .82rem; border-radius: 7px; }
.quiet { border-color: transparent; background: none; padding: .2rem .6rem; }
.link { border: 0; background: none; min-height: 1.6rem; padding: 0 .1rem; color: var(--accent); text-align: left; white-space: normal; overflow-wrap: anywhere; }
.link:hover { background: none; text-decoration: underline; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }

.top { position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding: .6rem 1.5rem; background: var(--card); border-bottom: 1px solid var(--line); min-height: 3.6rem; }
.mark { display: inline-grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 700; }
.bar { flex: 1 1 40rem; display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1.1rem; min-width: 0; }
.search { flex: 1 1 10rem; max-width: 30rem; min-width: 0; }
.search input { background: var(--sunk); border-color: var(--line); border-radius: 99px; padding-left: 1rem; }
.identity { margin-left: auto; overflow-wrap: anywhere; }
.clock { display: inline-flex; flex-wrap: wrap; gap: 0 .6rem; font-weight: 600; }
.clock time { font-weight: 400; }
.clock-menu { position: relative; }
.clock-menu > summary { display: inline-flex; align-items: center; gap: .4rem; min-height: 2.35rem; padding: .35rem .9rem; border: 1px solid var(--edge); border-radius: 8px; white-space: nowrap; }
.clock-menu > summary::after { content: "▾" / ""; }
.clock-menu > summary:hover { background: var(--accent-ground); border-color: var(--accent); }
.clock-menu > div { position: absolute; z-index: 6; right: 0; top: calc(100% + .4rem); width: 22rem; max-width: calc(100vw - 2rem); display: grid; gap: .6rem; padding: .8rem .9rem; background: var(--card); border: 1px solid var(--edge); border-radius: 12px; box-shadow: 0 8px 24px rgb(0 0 0 / .18); }
.connection { display: flex; flex-wrap: wrap; align-items: center; gap: .3rem .8rem; }
.keep { display: inline-flex; align-items: center; gap: .4rem; font-size: .82rem; color: var(--soft); min-height: 1.75rem; }
.keep input, input[type="checkbox"] { width: 1.05rem; height: 1.05rem; min-height: 0; margin: 0; accent-color: var(--accent); }
.choices label { display: flex; align-items: center; gap: .5rem; min-height: 1.75rem; font-weight: 400; }
.secret:not(:placeholder-shown) { -webkit-text-security: disc; }
.connect { max-width: 40rem; margin: 0 0 2rem; padding: 1.5rem; display: grid; gap: .8rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.connect form { display: grid; gap: .5rem; }
.connect label[for] { font-weight: 600; font-size: .88rem; }
#key-message:not(:empty) { background: var(--bad-ground); color: var(--bad); border-radius: 8px; padding: .45rem .75rem; font-weight: 600; font-size: .88rem; }

.places { display: flex; flex-wrap: wrap; gap: .15rem .25rem; padding: .5rem 1rem 0; max-width: 96rem; margin: 0 auto; }
.places a { padding: .45rem .8rem; border-radius: 8px; text-decoration: none; color: var(--soft); font-weight: 550; }
.places a:hover { background: var(--line); color: var(--text); }
.places a[aria-current] { background: var(--accent-ground); color: var(--accent); }
.columns { display: grid; grid-template-columns: minmax(0, 1fr); align-items: start; max-width: 96rem; margin: 0 auto; }
.columns.with-world { grid-template-columns: minmax(0, 1fr) 23rem; max-width: 118rem; }
main { padding: 1.25rem 1.5rem 4rem; min-height: 60vh; }
aside { position: sticky; top: 4.4rem; max-height: calc(100vh - 5rem); overflow-y: auto; margin: 1.25rem 1.5rem 1rem 0; padding: 1rem; scrollbar-width: thin; background: var(--ground); border: 1px solid var(--line); border-radius: 14px; }
.view, .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; min-width: 0; }
.view > .stack { margin-top: 1rem; }
.view-head { display: flex; flex-wrap: wrap; gap: .75rem 2rem; justify-content: space-between; align-items: start; }
.start { padding: 1.5rem; }
.button { display: inline-flex; align-items: center; min-height: 2.35rem; padding: .35rem .9rem; border: 1px solid var(--edge); border-radius: 8px; background: var(--card); color: var(--text); text-decoration: none; }
.button:hover { background: var(--accent-ground); border-color: var(--accent); }
.button.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
.button.small { min-height: 1.75rem; padding: .1rem .55rem; }
.pill { display: inline-block; padding: .1rem .6rem; border-radius: 99px; font-size: .8rem; font-weight: 600; white-space: nowrap; }
.t-good { color: var(--good); background: var(--good-ground); }
.t-bad { color: var(--bad); background: var(--bad-ground); }
.t-open { color: var(--warn); background: var(--warn-ground); }
.t-calm { color: var(--soft); background: var(--sunk); }
h2 .pill { font-size: .85rem; vertical-align: middle; letter-spacing: 0; }
.id { overflow-wrap: anywhere; text-underline-offset: .3em; }
time { font-variant-numeric: tabular-nums; }
.relative { white-space: nowrap; }

.data { width: 100%; border-collapse: separate; border-spacing: 0; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow: hidden; font-size: .9rem; }
.data th { text-align: left; font-size: .76rem; font-weight: 600; color: var(--soft); padding: .6rem .9rem; border-bottom: 1px solid var(--line); }
.data td { padding: .6rem .9rem; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
.data tbody tr:last-child td { border-bottom: 0; }
.data tbody tr:hover { background: var(--sunk); }
.data .c-money { font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
.data .c-number { white-space: nowrap; }
.data .c-id { max-width: 13rem; font-size: .82rem; }
.filters { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.filters select { width: auto; }
.filters .row input { width: 12rem; }
.chip { padding: .3rem .8rem; border-radius: 99px; background: var(--accent-ground); color: var(--accent); text-decoration: none; font-size: .88rem; overflow-wrap: anywhere; }
.sums, .facts-list { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: .8rem; margin: 0; }
.sums > div { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1rem 1.2rem; }
.facts-list { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.2rem; gap: .9rem 1.5rem; }
.sums { grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); }
dt { color: var(--soft); font-size: .8rem; }
dd { margin: 0; overflow-wrap: anywhere; }
.sums dd { font-size: 1.5rem; font-weight: 650; letter-spacing: -.02em; font-variant-numeric: tabular-nums; }
.sums .made { font-size: .85rem; font-weight: 400; letter-spacing: 0; }

.api { display: grid; grid-template-columns: 17rem minmax(0, 1fr); gap: 1.5rem; align-items: start; }
.operations { position: sticky; top: 4.4rem; max-height: calc(100vh - 5rem); overflow-y: auto; scrollbar-width: thin; padding: .2rem; }
.operations label { font-size: .82rem; font-weight: 600; color: var(--soft); }
.area { margin-top: .9rem; }
.area h3 { padding: 0 .6rem .25rem; }
.operations a { display: flex; gap: .55rem; align-items: baseline; padding: .38rem .6rem; border-radius: 8px; text-decoration: none; color: var(--text); line-height: 1.3; }
.operations a:hover { background: var(--line); }
.operations a[aria-current] { background: var(--accent-ground); box-shadow: inset 3px 0 0 var(--accent); }
.operations .what { font-size: .88rem; min-width: 0; }
.operations .path { display: block; font: .72rem/1.35 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
.method { flex: none; font: 700 .66rem/1.5 var(--mono); letter-spacing: .02em; padding: .05rem .35rem; border-radius: 5px; min-width: 2.9rem; text-align: center; display: inline-block; }
.m-get { color: var(--good); background: var(--good-ground); }
.m-post { color: var(--accent); background: var(--accent-ground); }
.m-delete { color: var(--bad); background: var(--bad-ground); }
.m-patch { color: var(--warn); background: var(--warn-ground); }

.bench { display: grid; gap: 1rem; }
.bench-head { display: grid; gap: .5rem; padding: .25rem .25rem 0; }
.bench-head > p:not(.hint):not(.address) { max-width: 46rem; }
.address { display: flex; align-items: baseline; gap: .5rem; }
.bench-form, .answer, aside section, .problem { background: var(--card); border: 1px solid var(--line); border-radius: 14px; }
.bench-form { padding: 1rem 1.1rem; display: grid; gap: 1.15rem; }
.part { display: grid; gap: .6rem; }
.part + .part { border-top: 1px solid var(--line); padding-top: 1rem; }
.part-head { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem; align-items: center; }
.fields { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 14.5rem), 1fr)); gap: .8rem 1rem; align-items: start; }
.field { display: grid; gap: .2rem; min-width: 0; }
.field > label, legend { font: 600 .84rem/1.4 var(--mono); overflow-wrap: anywhere; }
.field.wide, fieldset { grid-column: 1 / -1; }
fieldset { min-width: 0; margin: 0; border: 0; border-left: 2px solid var(--line); padding: .1rem 0 .2rem .9rem; display: grid; gap: .5rem; justify-items: start; }
fieldset > .fields { width: 100%; }
legend { padding: 0; float: left; width: 100%; }
.need { color: var(--warn); font: 500 .74rem/1 ui-sans-serif, system-ui, sans-serif; }
.error { color: var(--bad); font-size: .84rem; font-weight: 600; }
.rows { display: grid; gap: .4rem; width: 100%; }
.row { display: flex; gap: .4rem; }
.send { position: sticky; bottom: 0; display: flex; align-items: center; gap: .75rem; margin: 0 -1.1rem -1rem; padding: .75rem 1.1rem; background: var(--card); border-top: 1px solid var(--line); border-radius: 0 0 14px 14px; }
.send .primary { min-width: 7rem; }
.switch { display: inline-flex; }
.switch button:first-child { border-radius: 7px 0 0 7px; }
.switch button:last-child { border-radius: 0 7px 7px 0; margin-left: -1px; }

.answer, .problem { padding: 1rem 1.1rem; display: grid; gap: .9rem; min-width: 0; }
.outcome { display: flex; flex-wrap: wrap; align-items: center; gap: .6rem; }
.status { font-weight: 700; padding: .15rem .65rem; border-radius: 99px; }
.s2 { color: var(--good); background: var(--good-ground); }
.s4, .s5 { color: var(--bad); background: var(--bad-ground); }
.duration { color: var(--soft); font-variant-numeric: tabular-nums; }
.badge { font-size: .8rem; font-weight: 600; padding: .15rem .6rem; border-radius: 99px; color: var(--warn); background: var(--warn-ground); }
.problem { background: var(--bad-ground); border-color: transparent; gap: .4rem; }
.problem code { background: none; padding: 0; }
.problem li { padding-left: .9rem; text-indent: -.9rem; }
.problem li::before { content: "→ "; color: var(--bad); }
.problem a, .problem .link { color: inherit; text-decoration: underline; font-weight: 600; text-indent: 0; }
.text { display: grid; gap: .3rem; min-width: 0; }
.text-head { display: flex; justify-content: space-between; align-items: center; }
pre { margin: 0; padding: .8rem .9rem; max-height: 30rem; overflow: auto; background: var(--sunk); border: 1px solid var(--line); border-radius: 10px; line-height: 1.55; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }
.j-name { color: light-dark(#1d4f91, #8ec2ff); }
.j-string { color: var(--good); }
.j-literal { color: light-dark(#8a3b00, #ffb77a); }
.qr { width: 9.25rem; height: 9.25rem; border-radius: 10px; border: 1px solid var(--line); background: #fff; }
summary { cursor: pointer; min-height: 1.75rem; font-size: .88rem; }
.answer summary { color: var(--soft); font-weight: 600; }
.headers { width: 100%; border-collapse: collapse; font: .8rem/1.5 var(--mono); table-layout: fixed; }
.headers th, .headers td { text-align: left; vertical-align: top; padding: .2rem .5rem .2rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
.headers th { width: 13rem; font-weight: 500; color: var(--soft); }
[aria-busy="true"] { opacity: .55; }

aside { display: grid; gap: .8rem; align-content: start; }
.worlds { list-style: none; margin: .6rem 0 0; padding: 0; display: grid; gap: .7rem; }
.aside-head { display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; align-items: center; }
.aside-head h2 { font-size: 1rem; }
aside section { padding: .85rem .95rem; display: grid; gap: .5rem; }
aside section > div { display: grid; gap: .5rem; }
dialog { width: min(30rem, calc(100vw - 2rem)); padding: 1.2rem 1.3rem; background: var(--card); color: var(--text); border: 1px solid var(--edge); border-radius: 14px; }
dialog::backdrop { background: rgb(0 0 0 / .5); }
dialog[open] { display: grid; gap: .9rem; }
dialog ul { list-style: disc; padding: .4rem 0 .4rem 1.2rem; }
dialog .tools { justify-content: flex-end; }
dialog.wide { width: min(56rem, calc(100vw - 2rem)); }
dialog h2 { font-size: 1.15rem; }
dialog:focus { outline: none; }
dialog .problem ul { list-style: none; padding: 0; }
dialog form { display: grid; gap: .9rem; min-width: 0; }
.danger { color: var(--bad); border-color: var(--bad); font-weight: 600; }
.danger:hover { background: var(--bad-ground); border-color: var(--bad); }
.report:not(:empty) { background: var(--accent-ground); border-radius: 10px; padding: .5rem .75rem; font-size: .86rem; }
.steps { display: flex; flex-wrap: wrap; gap: .35rem; }
.steps button { padding: .1rem .5rem; }
.own-step { display: flex; gap: .35rem; }
.own-step input { width: 4.5rem; min-height: 1.75rem; }
.receiver { border-top: 1px solid var(--line); padding-top: .4rem; overflow-wrap: anywhere; }
.receiver[open] > summary { margin-bottom: .4rem; }
.receiver > p { margin-bottom: .4rem; }
.receiver > .filters { margin-top: .75rem; }
.receiver > nav { margin-top: .5rem; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); font-weight: 600; }
main .receiver, .empty { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: .85rem 1.1rem; }
.receiver .state { display: block; font-size: .86rem; padding-left: 1.1rem; }
main .receiver > summary b { word-break: break-all; }
.empty { display: grid; gap: .5rem; }
.report:empty { display: none; }
.view > .report { position: sticky; top: 4.2rem; z-index: 1; }
.deliveries { display: grid; gap: .15rem; margin-top: .5rem; }
.deliveries li { display: grid; grid-template-columns: auto 1fr auto; gap: .1rem .55rem; align-items: start; font-size: .84rem; padding: .35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.deliveries b { grid-column: 2 / -1; }
.deliveries .facts { grid-column: 2; }
.dot { width: .6rem; height: .6rem; border-radius: 50%; margin-top: .4rem; background: var(--edge); }
.d-delivered { background: var(--good); }
.d-failed { background: var(--warn); }
.d-exhausted { background: var(--bad); }

@media (max-width: 74rem) {
  .data th, .data td { padding: .6rem .55rem; }
  .columns.with-world { grid-template-columns: minmax(0, 1fr); }
  .with-world aside { grid-row: 1; position: static; max-height: none; margin: 1rem 1.5rem 0; }
}
@media (max-width: 50rem) {
  .top { position: static; padding: .7rem 1rem; }
  main { padding: 1rem 1rem 3rem; }
  .places { padding: .5rem .6rem 0; }
  .places a { padding: .45rem .6rem; }
  .with-world aside { margin: 1rem 1rem 0; }
  .identity { margin-left: 0; }
  .search { flex-basis: 100%; max-width: none; }
  .api { grid-template-columns: minmax(0, 1fr); }
  .operations { position: static; max-height: none; }
  .operation-list { max-height: 12rem; overflow-y: auto; }
  .row { flex-wrap: wrap; }
  .field.wide .row input { flex-basis: 100%; }
  .headers th { width: 8.5rem; }
  .data, .data tbody, .data tr, .data td { display: block; }
  .data { background: none; border: 0; border-radius: 0; overflow: visible; }
  .data thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .data tr { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: .6rem 1rem; margin-bottom: .75rem; }
  .data td { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: .5rem; justify-items: start; border: 0; padding: .2rem 0; }
  .data td::before { content: attr(data-title); color: var(--soft); font-size: .8rem; font-weight: 400; }
  .data .c-id { max-width: none; }
  .data td:has(> .hint), .keys { display: none; }
  .clock-menu { flex-basis: 100%; }
  .clock-menu > div { position: static; box-shadow: none; width: auto; margin-top: .4rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
${HOME_STYLE}${STORY_STYLE}${EXAM_STYLE}`;
