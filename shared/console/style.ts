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
h1, h2, h3, h4, p, ul, ol { margin: 0; padding: 0; }
h1 { font-size: 1.05rem; letter-spacing: -.01em; display: flex; align-items: center; gap: .5rem; white-space: nowrap; }
h2 { font-size: 1.35rem; line-height: 1.25; letter-spacing: -.015em; outline: none; text-wrap: balance; }
h3 { font-size: .75rem; font-weight: 650; color: var(--soft); text-transform: uppercase; letter-spacing: .06em; }
h4 { font-size: .8rem; color: var(--soft); font-weight: 600; }
ul, ol { list-style: none; }
a { color: var(--accent); text-underline-offset: 2px; }
code, pre, .mono { font-family: var(--mono); font-size: .86em; }
code { overflow-wrap: anywhere; }
p code { background: var(--sunk); padding: .1em .3em; border-radius: 4px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
main:focus { outline: none; }
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
button[aria-pressed="true"] { background: var(--accent-ground); border-color: var(--accent); color: var(--accent); }
.primary { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
.primary:hover { background: color-mix(in oklab, var(--accent) 82%, var(--text)); border-color: var(--accent); }
.small { min-height: 1.75rem; padding: .1rem .55rem; font-size: .82rem; border-radius: 7px; }
.quiet { border-color: transparent; background: none; padding: .2rem .6rem; }
.link { border: 0; background: none; min-height: 1.6rem; padding: 0 .1rem; color: var(--accent); text-align: left; white-space: normal; overflow-wrap: anywhere; }
.link:hover { background: none; text-decoration: underline; }
.tools { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; }

.top { position: sticky; top: 0; z-index: 5; display: flex; flex-wrap: wrap; gap: .35rem 2rem; align-items: center; justify-content: space-between; padding: .6rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
.mark { display: inline-grid; place-items: center; width: 1.75rem; height: 1.75rem; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 700; }
.key { flex: 0 1 46rem; display: flex; flex-wrap: wrap; align-items: center; justify-content: flex-end; gap: .15rem .9rem; }
.key form { display: flex; align-items: center; gap: .5rem; flex: 1 1 20rem; }
.key label { white-space: nowrap; font-weight: 600; font-size: .85rem; }
.secret:not(:placeholder-shown) { -webkit-text-security: disc; }
#key-state { display: flex; align-items: center; gap: .5rem; font-size: .88rem; font-weight: 600; }
.live-dot { width: .6rem; height: .6rem; border-radius: 50%; background: var(--good); }
#key-message:not(:empty) { flex: 1 1 100%; background: var(--bad-ground); color: var(--bad); border-radius: 8px; padding: .45rem .75rem; font-weight: 600; font-size: .88rem; }

.columns { display: grid; grid-template-columns: 17.5rem minmax(0, 1fr) 22rem; align-items: start; max-width: 110rem; margin: 0 auto; }
nav, aside { position: sticky; top: 3.6rem; max-height: calc(100vh - 3.6rem); overflow-y: auto; padding: 1rem; scrollbar-width: thin; }
nav { padding-right: .25rem; }
main { padding: 1rem; min-height: 60vh; scroll-margin-top: 4rem; }
#menu > summary { display: none; }
.search { position: sticky; top: -1rem; z-index: 1; background: var(--ground); padding: .25rem 0 .5rem; margin-top: -.25rem; }
.search label { font-size: .82rem; font-weight: 600; color: var(--soft); }
.area { margin-top: .9rem; }
.area h3 { padding: 0 .6rem .25rem; }
nav a { display: flex; gap: .55rem; align-items: baseline; padding: .38rem .6rem; border-radius: 8px; text-decoration: none; color: var(--text); line-height: 1.3; }
nav a:hover { background: var(--line); }
#to-endpoints { margin-bottom: .6rem; }
nav a[aria-current] { background: var(--accent-ground); box-shadow: inset 3px 0 0 var(--accent); }
nav a .what { font-size: .88rem; min-width: 0; }
nav a .path { display: block; font: .72rem/1.35 var(--mono); color: var(--soft); overflow-wrap: anywhere; }
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

aside { display: grid; gap: .8rem; }
.aside-head { display: flex; justify-content: space-between; align-items: center; }
.aside-head h2 { font-size: 1rem; }
body.connected .only-locked, body:not(.connected) .only-connected, body:not(.connected) #live-pause, body.connected #key-note { display: none; }
.only-connected { display: grid; gap: .8rem; }
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
.steps { display: grid; grid-template-columns: repeat(4, 1fr); gap: .35rem; }
.steps button { padding: .1rem .2rem; }
.clock { font-size: 1.02rem; font-weight: 650; font-variant-numeric: tabular-nums; letter-spacing: -.01em; }
.counts { display: grid; gap: .3rem; font-size: .86rem; }
.counts li { display: grid; grid-template-columns: 8rem 1fr 2rem; gap: .5rem; align-items: center; }
.counts b { text-align: right; font-variant-numeric: tabular-nums; }
.track { height: .45rem; border-radius: 9px; background: var(--sunk); overflow: hidden; }
.bar { display: block; height: 100%; border-radius: 9px; background: var(--edge); }
.b-succeeded { background: var(--good); }
.b-failed, .b-canceled, .b-expired { background: var(--bad); }
.b-requires_action, .b-processing { background: var(--warn); }
.lines li { display: flex; justify-content: space-between; gap: .6rem; align-items: baseline; font-size: .86rem; padding: .06rem 0; }
.lines time { color: var(--soft); font-size: .8rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
.receiver { border-top: 1px solid var(--line); padding-top: .4rem; overflow-wrap: anywhere; }
.receiver[open] > summary { margin-bottom: .4rem; }
.receiver > p { margin-bottom: .4rem; }
.good { color: var(--good); }
.warn { color: var(--warn); }
.bad { color: var(--bad); font-weight: 600; }
main .receiver, .empty { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: .85rem 1.1rem; }
main .state { display: block; font-size: .86rem; padding-left: 1.1rem; }
main .receiver > summary b { word-break: break-all; }
.empty { display: grid; gap: .5rem; }
.report:empty { display: none; }
.bench > .report { position: sticky; top: 4.2rem; z-index: 1; }
.deliveries { display: grid; gap: .15rem; margin-top: .5rem; }
.deliveries li { display: grid; grid-template-columns: auto 1fr auto; gap: .1rem .55rem; align-items: start; font-size: .84rem; padding: .35rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.deliveries b { grid-column: 2 / -1; }
.deliveries .facts { grid-column: 2; }
.dot { width: .6rem; height: .6rem; border-radius: 50%; margin-top: .4rem; background: var(--edge); }
.d-delivered { background: var(--good); }
.d-failed { background: var(--warn); }
.d-exhausted { background: var(--bad); }

@media (max-width: 74rem) {
  .columns { grid-template-columns: 16.5rem minmax(0, 1fr); }
  nav { grid-row: 1 / span 2; }
  aside { grid-column: 2; position: static; max-height: none; }
}
@media (max-width: 50rem) {
  .top { position: static; padding: .7rem 1rem; }
  .columns { display: block; }
  nav { position: static; max-height: none; padding: .75rem 1rem 0; }
  .search { position: static; }
  #menu { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 0 .9rem; }
  #menu > summary { display: list-item; font-weight: 600; padding: .7rem 0; }
  #menu[open] { padding-bottom: .75rem; }
  .key { flex-basis: 100%; justify-content: flex-start; }
  .key form { flex-wrap: wrap; flex-basis: 100%; }
  .key form input { flex: 1 1 8rem; }
  .key label { flex-basis: 100%; }
  main { scroll-margin-top: 0; }
  .field.wide .row { flex-wrap: wrap; }
  .field.wide .row input { flex-basis: 100%; }
  .headers th { width: 8.5rem; }
}
@media (prefers-reduced-motion: reduce) { * { transition: none !important; } }
`;
