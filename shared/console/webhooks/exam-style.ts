/** The style of the exam: its commands, and its questions. */
export const EXAM_STYLE = `
.exam h4 { margin: 0; font-size: 1rem; line-height: 1.35; }
.exam h4 .mono { display: block; font-weight: 500; color: var(--soft); }
.exam .part { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.2rem; }
.exam .part > p { max-width: 46rem; }
.commands { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: .9rem 1.2rem; align-items: start; }
.questions { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: .8rem; }
.questions li { display: grid; gap: .35rem; align-content: start; padding: .9rem 1.1rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; overflow-wrap: anywhere; }
.questions li > a { justify-self: start; font-size: .86rem; }
`;
