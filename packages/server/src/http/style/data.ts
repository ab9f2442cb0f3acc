/** Components that show data: badges, tables, filters, figures, code, timeline, panes, tabs. */
export const DATA = `/* Badges */
.badge { display: inline-flex; align-items: center; gap: 0.375rem; padding: 0 0.4375rem; border-radius: var(--r1); background: var(--quiet-tint); color: var(--text-2); font-size: var(--t-xs); line-height: 1.25rem; font-weight: 500; letter-spacing: 0; white-space: nowrap; }
.badge.http { font-family: var(--mono); }
.badge.good { background: var(--good-tint); color: var(--good); }
.badge.warn { background: var(--warn-tint); color: var(--warn); }
.badge.bad { background: var(--bad-tint); color: var(--bad); }
.method { display: inline-block; min-width: 3.25rem; font-family: var(--mono); font-size: 0.92em; color: var(--text-3); }

/* Table */
/* Text and lines keep the page's left edge; the tint of a row extends beyond it. */
.table-wrap { --bleed: var(--s3); }
.table { width: 100%; border-collapse: separate; border-spacing: 0; font-size: var(--t-sm); }
.table caption { text-align: left; }
.table th, .table td { height: 2.25rem; padding: 0.3125rem var(--s3); text-align: left; vertical-align: middle; border-bottom: 1px solid var(--line); }
.table thead th { position: sticky; top: var(--bar); z-index: 2; height: 2rem; background: var(--canvas); color: var(--text-3); font-weight: 500; font-size: var(--t-xs); white-space: nowrap; }
.table .num { text-align: right; }
.table tbody th { font-weight: 500; }
.table .grow { width: 99%; max-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.table .whole { width: 99%; overflow-wrap: anywhere; }
.table .text { max-width: 18rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.table tbody tr { --tint: transparent; }
.table tbody tr:hover { --tint: var(--hover); }
.table tbody tr[aria-current] { --tint: var(--selected); }
.table tr > :first-child { padding-left: 0; }
.table tr > :last-child { padding-right: 0; }
.table tbody tr > :first-child { box-shadow: calc(-1 * var(--bleed)) 0 0 var(--tint); }
.table tbody tr > :last-child { box-shadow: var(--bleed) 0 0 var(--tint); }
.table tbody tr > * { background: var(--tint); }
.table .method { color: var(--text-3); }
.table .row-link { display: inline-flex; align-items: center; min-height: 1.5rem; color: var(--text); text-decoration: none; }
.table .row-link:hover { text-decoration: underline; }
.table tbody tr.is-new { --tint: var(--sunken); }
.table tbody tr.is-new > :first-child { box-shadow: calc(-1 * var(--bleed) + 2px) 0 0 var(--tint), calc(-1 * var(--bleed)) 0 0 var(--accent); }
/* Colour marks the exception: a success in a table is plain text. */
.table .badge.good { background: none; color: var(--text-2); font-weight: 400; }
.table .grow .row-link { display: block; overflow: hidden; text-overflow: ellipsis; line-height: 1.5rem; }
.table .row-link.act { color: var(--accent); text-decoration: underline; }
.pager { display: flex; align-items: center; gap: var(--s2); margin-top: var(--s3); font-size: var(--t-sm); color: var(--text-3); }
.pager + div { margin-top: var(--s5); }
.pager > :first-child { margin-right: auto; }

/* Live tail */
.live { max-width: none; display: flex; align-items: center; justify-content: flex-end; gap: var(--s3); margin-bottom: var(--s2); font-size: var(--t-sm); color: var(--text-3); }
.live[hidden] { display: none; }

/* Filter bar */
.filters { display: flex; flex-wrap: wrap; align-items: flex-end; gap: var(--s2); margin: var(--s4) 0 var(--s3); }
.filters .field { margin: 0; }
.filters .field label { font-size: var(--t-xs); font-weight: 500; color: var(--text-3); }
.filters .grow-field { flex: 1 1 7rem; max-width: 18rem; }
.filters select.input { max-width: 9.5rem; }
.filters #operation { max-width: 26rem; }
.chips { display: flex; flex-wrap: wrap; gap: var(--s2); margin-bottom: var(--s3); font-size: var(--t-sm); align-items: center; }
.chip { display: inline-flex; align-items: center; gap: var(--s2); min-height: 1.625rem; padding: 0 var(--s2); border-radius: var(--r1); background: var(--quiet-tint); color: var(--text); text-decoration: none; }
.chip:hover { background: var(--quiet-line); color: var(--text); }
.chip span[aria-hidden] { color: var(--text-3); }

/* Key-value list, stat strip, sparkline */
.kv { display: grid; grid-template-columns: minmax(6.5rem, max-content) minmax(0, 1fr); gap: var(--s1) var(--s4); align-items: baseline; font-size: var(--t-sm); }
.kv dt { color: var(--text-3); }
.kv dd { min-height: 1.5rem; overflow-wrap: anywhere; }
.stats { display: grid; grid-template-columns: repeat(4, auto); justify-content: space-between; gap: var(--s4) var(--s5); margin-top: var(--s5); }
.stat dt { font-size: var(--t-sm); color: var(--text-3); }
.stat dd { font-size: var(--t-xl); line-height: 1.35; font-weight: 600; letter-spacing: -0.012em; }
.stat dd + dd { font-size: var(--t-sm); line-height: 1.5; font-weight: 400; letter-spacing: 0; color: var(--text-3); }
.spark { display: block; width: 100%; height: 4.5rem; overflow: visible; }
.spark .ok { fill: var(--mark-soft); }
.spark .err { fill: var(--mark-bad); }
.spark .axis { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
.spark-small { display: inline-block; width: 6rem; height: 1.25rem; vertical-align: middle; }
.chart-foot { display: flex; justify-content: space-between; margin-top: var(--s1); font-size: var(--t-xs); color: var(--text-3); }
.legend { display: inline-flex; gap: var(--s4); font-size: var(--t-xs); color: var(--text-3); }
.legend span { display: inline-flex; align-items: center; gap: 0.375rem; }
.key { width: 0.5rem; height: 0.5rem; border-radius: 2px; background: var(--mark-soft); }
.key-bad { background: var(--mark-bad); }
.phases { display: block; width: 100%; max-width: 26rem; height: 0.5rem; margin: var(--s2) 0 var(--s1); }
.phases .track { fill: var(--quiet-tint); }
.phases .net { fill: var(--mark-soft); }
.phases .wait { fill: var(--mark); }
.phases .bad { fill: var(--mark-bad); }
.phases .now { fill: var(--accent); }

/* Progress of a job */
.progress { width: 100%; max-width: 26rem; accent-color: var(--accent); }

/* Code block */
.code { position: relative; margin-top: var(--s2); border: 1px solid var(--line); border-radius: var(--r2); background: var(--sunken); }
.code-head { display: flex; align-items: center; justify-content: space-between; min-height: 1.875rem; padding: 0 var(--s2) 0 var(--s3); border-bottom: 1px solid var(--line); font-size: var(--t-xs); color: var(--text-3); }
.code-head .copy { margin-left: auto; }
.code pre { padding: var(--s2) var(--s3); overflow-x: auto; font-size: var(--t-xs); line-height: 1.6; tab-size: 2; }
.code .wrap { white-space: pre-wrap; overflow-wrap: anywhere; }
.code .k { color: var(--text-3); }
.diff { width: 100%; table-layout: fixed; margin-top: var(--s2); border-collapse: collapse; font-size: var(--t-sm); }
.diff caption { text-align: left; }
.diff th, .diff td { padding: 0.1875rem var(--s3) 0.1875rem 0; text-align: left; font-weight: 400; vertical-align: baseline; overflow-wrap: anywhere; }
.diff thead th { font-size: var(--t-xs); color: var(--text-3); }
.diff thead th:first-child { width: 30%; }
.diff tbody th { color: var(--text-3); }
.diff ins { text-decoration: none; color: var(--good); }
.diff del { color: var(--bad); }

/* Timeline */
/* One time column, one rail for the cause, one indented rail for each endpoint. */
.tl { --time: 5.25rem; --rail: calc(var(--time) + 1.25rem); --branch: calc(var(--rail) + 1.5rem); position: relative; }
.tl-item { position: relative; padding: 0 0 var(--s5) calc(var(--rail) + 1.5rem); }
.tl-rail { position: absolute; left: var(--rail); top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--quiet-line); }
.tl-item:first-child > .tl-rail { top: 0.625rem; }
.tl-when { position: absolute; left: 0; top: 0; width: var(--time); font-size: var(--t-xs); line-height: 1.3125rem; color: var(--text-3); }
.tl-when b { display: block; font-weight: 500; color: var(--text-2); }
.tl-when .day { display: block; }
.tl-node { position: absolute; left: var(--rail); top: 0.3125rem; width: 0.6875rem; height: 0.6875rem; margin-left: -0.34375rem; border-radius: 50%; background: var(--mark); box-shadow: 0 0 0 4px var(--canvas); z-index: 1; }
.tl-node.good { background: var(--mark-good); }
.tl-node.bad { background: var(--mark-bad); border-radius: 2px; }
.tl-node.next { background: var(--canvas); border: 2px dashed var(--mark); }
.tl-head { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s2); min-height: 1.3125rem; }
.tl-head h3 { overflow-wrap: anywhere; }
.tl-kind { color: var(--text-3); font-size: var(--t-sm); }
.tl-text { margin-top: 0.125rem; color: var(--text-2); font-size: var(--t-sm); }
/* A branch: one endpoint */
.tl-branch { padding-left: calc(var(--branch) + 1.5rem); }
.tl-branch > .tl-node { left: var(--branch); }
.tl-line { position: absolute; left: var(--branch); top: 0; bottom: 0; width: 2px; margin-left: -1px; background: var(--quiet-line); }
.tl-fork { padding-bottom: var(--s4); padding-left: calc(var(--branch) + 1.5rem); }
.tl-hook { position: absolute; left: calc(var(--rail) - 1px); top: 0; width: calc(1.5rem + 1px); height: calc(0.6875rem + 1px); border: solid var(--quiet-line); border-width: 0 0 2px 2px; border-end-start-radius: 10px; }
.tl-fork > .tl-node { left: var(--branch); background: var(--canvas); border: 2px solid var(--mark); }
.tl-fork > .tl-stem { position: absolute; left: var(--branch); top: 0.6875rem; bottom: 0; width: 2px; margin-left: -1px; background: var(--quiet-line); }
.tl-last > .tl-rail, .tl-last-fork > .tl-rail { display: none; }
.tl-end > .tl-line { bottom: auto; height: 0.625rem; }

/* Attempts at one endpoint */
.attempt { display: flex; flex-wrap: wrap; align-items: center; gap: 0 var(--s2); min-height: 1.75rem; font-size: var(--t-sm); }
.pane h4 { font-size: var(--t-sm); font-weight: 500; overflow-wrap: anywhere; }

/* Disclosure inside timelines and panes */
.more { margin-top: var(--s1); }
.more > summary { display: inline-flex; align-items: center; gap: var(--s2); min-height: 1.5rem; color: var(--text-2); font-size: var(--t-sm); cursor: pointer; list-style: none; }
.more > summary::-webkit-details-marker { display: none; }
.more > summary::before { content: ""; width: 0.375rem; height: 0.375rem; margin-left: 1px; border: solid var(--text-3); border-width: 0 1.5px 1.5px 0; transform: rotate(-45deg); }
.more[open] > summary::before { transform: translateY(-1px) rotate(45deg); }
.more > summary:hover { color: var(--text); text-decoration: underline; text-underline-offset: 0.2em; }

/* List and detail */
.split { display: grid; grid-template-columns: minmax(0, 1fr) var(--pane); gap: 0 var(--edge); align-items: start; }
.pane { position: sticky; top: var(--bar); max-height: calc(100vh - var(--bar)); overflow-y: auto; margin: calc(-1 * var(--s5)) calc(-1 * var(--edge)) calc(-1 * var(--s7)) 0; min-height: calc(100vh - var(--bar)); padding: var(--s5) var(--s5) var(--s6); border-left: 1px solid var(--line); background: var(--canvas); }
.pane:focus-visible { outline-offset: -2px; }
.pane-head { display: flex; align-items: flex-start; justify-content: space-between; gap: var(--s3); }
.pane h2 { overflow-wrap: anywhere; }
.pane > h3 { margin-top: var(--s5); }
.pane > .kv { margin-top: var(--s4); }
.pane > div:not(.notice, .code, .actions, .pane-head) { margin-top: var(--s5); }
.pane > .hint { margin-top: var(--s2); }
.pane > .actions { margin-top: var(--s4); }
.pane .notice .kv { grid-template-columns: 3rem minmax(0, 1fr); font-size: var(--t-sm); }
.back { display: none; }

/* Tabs */
.tabs { display: flex; flex-wrap: wrap; gap: 0 var(--s5); margin-top: var(--s5); border-bottom: 1px solid var(--line); }
.tabs a { display: inline-flex; align-items: center; gap: var(--s2); min-height: 2.375rem; color: var(--text-2); text-decoration: none; border-bottom: 2px solid transparent; margin-bottom: -1px; white-space: nowrap; }
.tabs a:hover { color: var(--text); border-bottom-color: var(--mark-soft); }
.tabs a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.tabs a:focus-visible { outline-offset: -2px; }
.count { color: var(--text-3); font-size: var(--t-xs); font-weight: 400; }
`;
