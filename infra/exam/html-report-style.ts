/** The style of the report. Its colours have a contrast of 4.5 to 1 at least, in both schemes. */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --ink: #16202b; --soft: #51606f; --line: #cfd8e1; --paper: #fff; --back: #f2f5f8; --act: #0b5cad; --good: #0a6b3d; --good-back: #e6f4ec; --bad: #a3201c; --bad-back: #fcecea; --open: #7a4b00; --open-back: #fff3d6; }
@media screen and (prefers-color-scheme: dark) { :root { --ink: #e9eef3; --soft: #a9b6c3; --line: #3a4754; --paper: #18212b; --back: #0f161d; --act: #7db8f5; --good: #6fd6a3; --good-back: #14352a; --bad: #ff9d97; --bad-back: #3d1f20; --open: #ffd98a; --open-back: #3a2c08; } }
* { box-sizing: border-box; }
body { margin: 0; overflow-wrap: anywhere; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, "Noto Sans Thai", "Sukhumvit Set", Thonburi, sans-serif; }
main { max-width: 60rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
a { color: var(--act); } p { margin: .35rem 0; }
h1 { font-size: 1.6rem; line-height: 1.3; margin: 0; } h2 { font-size: 1.2rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
.soft { color: var(--soft); } .count { color: var(--soft); font-weight: 400; font-size: 1rem; }
.top { padding: 1.25rem; background: var(--paper); border: 1px solid var(--line); border-left: .4rem solid; border-radius: .75rem; }
.top.passed { border-left-color: var(--good); } .top.failed { border-left-color: var(--bad); } .top.skipped { border-left-color: var(--open); }
.top h2 { font-size: 1rem; margin: 1rem 0 .25rem; }
.bar { display: block; width: 100%; height: .6rem; margin: .9rem 0 .5rem; border-radius: .3rem; background: var(--line); }
.bar .passed { fill: var(--good); } .bar .failed { fill: var(--bad); } .bar .skipped { fill: var(--open); }
dl { display: grid; grid-template-columns: minmax(5.5rem, auto) minmax(0, 1fr); gap: .2rem 1rem; margin: .75rem 0; } dt { color: var(--soft); } dd { margin: 0; }
ul, ol { margin: .35rem 0; padding-left: 1.4rem; }
.groups { list-style: none; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: .4rem 1rem; }
.question { margin: .5rem 0; background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; }
.question > summary { padding: .65rem .9rem; min-height: 2.75rem; } .question > div { padding: 0 .9rem .75rem; }
summary { cursor: pointer; } summary .title { font-weight: 600; }
.verdict { display: inline-block; min-width: 4.6rem; margin-right: .4rem; padding: 0 .5rem; border-radius: .4rem; font-weight: 600; font-size: .9rem; text-align: center; }
.verdict.passed { color: var(--good); background: var(--good-back); } .verdict.failed { color: var(--bad); background: var(--bad-back); } .verdict.skipped { color: var(--open); background: var(--open-back); }
code, pre { font: .88em/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; unicode-bidi: isolate; }
pre { margin: .25rem 0 .5rem; padding: .6rem .8rem; background: var(--back); border: 1px solid var(--line); border-radius: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }
.events > li { margin: .35rem 0; } .events summary { color: var(--act); padding: .35rem 0; min-height: 2.25rem; }
.bad { color: var(--bad); }
:focus-visible { outline: 3px solid var(--act); outline-offset: 2px; }
@media (min-width: 40rem) { main { padding: 2rem 1.5rem 4rem; } }
@media print { :root { color-scheme: light; } body, .top, .question { background: #fff; } main { max-width: none; padding: 0; } h2 { break-after: avoid; } .question:not([open]) { break-inside: avoid; } .events details:not([open]) { display: none; } }
`;
