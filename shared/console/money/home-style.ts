/** The style of the first page: what needs somebody, and the chart of the month. */
export const HOME_STYLE = `
.needs { display: grid; gap: .5rem; }
.needs li { display: flex; flex-wrap: wrap; gap: .5rem 1rem; justify-content: space-between; align-items: center; padding: .7rem 1rem; border-radius: 12px; background: var(--warn-ground); overflow-wrap: anywhere; }
.needs li > a:not(.button) { color: inherit; }
.month { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 1.1rem 1.2rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: .8rem; }
.month > p { font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .82rem; color: var(--soft); }
.legend li { display: inline-flex; align-items: center; gap: .4rem; }
.swatch { width: .7rem; height: .7rem; border-radius: 3px; }
.chart { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .35rem .6rem; }
.chart > svg { width: 100%; height: 11rem; display: block; border-bottom: 1px solid var(--edge); background: linear-gradient(var(--line) 1px, transparent 1px) 0 0 / 100% 50%; }
.chart .axis { display: flex; flex-direction: column; justify-content: space-between; text-align: right; font-size: .75rem; line-height: 1; color: var(--soft); font-variant-numeric: tabular-nums; }
.chart .dates { grid-column: 2; display: flex; font-size: .75rem; color: var(--soft); }
.chart .dates span { flex: 1; min-width: 0; white-space: nowrap; }
.room { fill: transparent; }
.chart a:hover .room { fill: var(--accent-ground); }
.k-promptpay { fill: var(--accent); }
.k-truemoney { fill: light-dark(#a16207, #fde047); }
.k-linepay { fill: light-dark(#15803d, #4ade80); }
.k-shopeepay { fill: light-dark(#c2410c, #fb923c); }
.k-bank_transfer { fill: light-dark(#0e7490, #22d3ee); }
.k-direct_debit { fill: light-dark(#57534e, #a8a29e); }
.k-installment { fill: light-dark(#a21caf, #f0abfc); }
.k-refunded { fill: var(--bad); }
.sideways { overflow-x: auto; }
.month table { border-collapse: collapse; font-size: .86rem; }
.month th, .month td { text-align: right; font-weight: 400; padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid var(--line); font-variant-numeric: tabular-nums; white-space: nowrap; }
.month thead th { color: var(--soft); font-size: .8rem; }
.month tr > :first-child { text-align: left; }
`;
