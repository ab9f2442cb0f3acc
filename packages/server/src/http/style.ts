/**
 * Style sheet of every page: system fonts, light and dark scheme of the system, no script. The contrast of text is at
 * least 4.5, that of field borders 3. Buttons and links to press are at least 44 px high (WCAG 2.2, AA).
 */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #fff; --text: #19202c; --quiet: #505a69; --line: #dde1e8; --edge: #747e8d; --sunk: #f1f3f6;
  --accent: #1b56b3; --on-accent: #fff; --bad: #a31919; --bad-ground: #fdf1f0; --good: #14593a; --good-ground: #eef8f2;
  --care: #6b4500; --care-ground: #fff7e5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1319; --sheet: #181e27; --text: #e6eaf0; --quiet: #a7b1bf; --line: #2e3744; --edge: #7b8797; --sunk: #11161d;
    --accent: #8fb8fb; --on-accent: #0b1422; --bad: #ffaaa3; --bad-ground: #2c1a1b; --good: #93dcb2; --good-ground: #14271d;
    --care: #f2cc78; --care-ground: #292110;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -10rem; padding: .6rem 1rem; background: var(--sheet); z-index: 1; }
.skip:focus { top: .5rem; }

.bar { display: flex; flex-wrap: wrap; align-items: center; gap: 0 1.5rem; padding: 0 max(1.25rem, 50% - 27rem); background: var(--sheet); border-bottom: 1px solid var(--line); }
.bar .brand { font-weight: 700; letter-spacing: -.01em; line-height: 3.25rem; }
.bar nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.bar nav a { display: inline-flex; align-items: center; min-height: 3.25rem; color: var(--quiet); text-decoration: none; border-bottom: 2px solid transparent; border-top: 2px solid transparent; }
.bar nav a:hover { color: var(--text); border-bottom-color: var(--edge); }
.bar nav a[aria-current] { color: var(--text); font-weight: 600; border-bottom-color: var(--accent); }
.bar .who { flex: 1 1 14rem; display: flex; align-items: center; justify-content: flex-end; gap: 1rem; min-width: 0; color: var(--quiet); font-size: .925rem; }
.bar .who span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.bar form { margin: 0; }
.bar button { white-space: nowrap; min-height: 2.75rem; padding: 0 .25rem; color: var(--text); background: none; border: 0; font-weight: 400; text-decoration: underline; text-underline-offset: .15em; }

main { max-width: 56.5rem; margin: 2.25rem auto 4rem; padding: 0 1.25rem; }
main.narrow { max-width: 34rem; }
main:focus { outline: none; }
.trail ol { display: flex; flex-wrap: wrap; gap: 0 .6rem; list-style: none; margin: 0 0 .5rem; padding: 0; color: var(--quiet); font-size: .925rem; }
.trail li { display: inline-flex; align-items: center; gap: .6rem; min-height: 1.75rem; overflow-wrap: anywhere; }
.trail li::after { content: "/" / ""; color: var(--edge); }
h1 { font-size: 1.75rem; line-height: 1.25; font-weight: 650; letter-spacing: -.015em; margin: 0 0 1.25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.2rem; line-height: 1.35; font-weight: 650; letter-spacing: -.005em; margin: 2.5rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.card h2, article h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
p, ul, ol, dl, table, pre, form { margin: 0 0 1rem; }
h1 + .lead { margin: -.75rem 0 1.5rem; max-width: 42rem; color: var(--quiet); font-size: 1.05rem; }
.card, article { background: var(--sheet); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; margin: 0 0 1.25rem; }
article h2, .card > :first-child { margin-top: 0; }
.card > :last-child, article > :last-child { margin-bottom: 0; }
.quiet, .hint { color: var(--quiet); }
.hint { font-size: .925rem; margin: 0 0 .5rem; }
input + .hint { margin: .35rem 0 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .45rem 2rem; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
dd a + a, dd code + a { margin-left: .75rem; }
ul { padding-left: 1.5rem; }
.plain-list { padding-left: 1.15rem; }
.plain-list li { margin-bottom: .3rem; }
.plain-list li::marker { color: var(--edge); }
.steps { list-style: none; counter-reset: step; padding: 0; }
.steps > li { counter-increment: step; display: grid; grid-template-columns: 1.85rem minmax(0, 1fr); gap: .9rem; margin-bottom: 1.4rem; }
.steps > li::before {
  content: counter(step); width: 1.85rem; height: 1.85rem; display: grid; place-items: center;
  border: 1px solid var(--line); border-radius: 50%; background: var(--sheet); font-weight: 600; font-size: .9rem;
}
.steps > li > * { padding-top: .1rem; margin-bottom: 0; }
.badge { display: inline-block; padding: .05rem .6rem; border: 1px solid; border-radius: 99px; font-size: .85rem; font-weight: 500; line-height: 1.5; white-space: nowrap; vertical-align: .08em; letter-spacing: 0; }
.badge.calm { color: var(--quiet); }
.badge.good { color: var(--good); background: var(--good-ground); }
.badge.bad { color: var(--bad); background: var(--bad-ground); }

.field { margin: 0 0 1.5rem; }
label, legend { display: block; font-weight: 600; margin: 0 0 .25rem; padding: 0; }
input:not([type=checkbox], [type=radio]), textarea, select {
  display: block; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit;
  color: var(--text); background: var(--sheet); border: 1px solid var(--edge); border-radius: 8px;
}
textarea { resize: vertical; field-sizing: content; font: .925rem/1.6 ui-monospace, monospace; }
input[readonly] { background: var(--sunk); border-color: var(--line); }
input[aria-invalid=true], textarea[aria-invalid=true] { border: 2px solid var(--bad); }
input.code { font: 1.25rem/1.4 ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase; }
.problem { margin: 0 0 .5rem; color: var(--bad); font-weight: 600; }
fieldset { border: 0; margin: 0 0 1.5rem; padding: 0; min-width: 0; }
.choice { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; margin: 0; font-weight: 400; }
.choice input { width: 1.25rem; height: 1.25rem; flex: none; margin: 0; accent-color: var(--accent); }
.scopes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: .35rem 1.5rem; }
.scopes .choice { align-items: start; padding: .3rem 0; line-height: 1.4; }
.scopes .choice code { display: block; }
.scopes .choice .quiet { font-size: .925rem; }
.copy { margin: 0 0 1.25rem; }
.copy textarea { resize: none; background: var(--sunk); border-color: var(--line); }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.25rem;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px;
}
button.plain, .button.plain { color: var(--text); background: var(--sheet); border-color: var(--edge); }
button.risky { color: var(--bad); background: var(--sheet); border-color: var(--bad); }
button:hover, .button:hover { filter: brightness(1.08); }
button.plain:hover, .button.plain:hover, button.risky:hover { filter: none; background: var(--sunk); }
form.inline { margin: 0; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.actions form { margin: 0; }
.actions.equal > * { flex: 1 1 12rem; }
.actions.equal button { width: 100%; }
.pager { display: flex; gap: .75rem; }

.alert, .notice, .warning { padding: .75rem 1rem; border: 1px solid; border-left-width: 4px; border-radius: 8px; margin: 0 0 1.25rem; }
.alert { color: var(--bad); background: var(--bad-ground); }
.alert a { color: inherit; }
.alert p, .alert ul { margin: 0 0 .35rem; }
.notice { color: var(--good); background: var(--good-ground); }
.warning { color: var(--care); background: var(--care-ground); }
.alert > :last-child, .notice > :last-child { margin-bottom: 0; }
pre, code, kbd { font-family: ui-monospace, monospace; font-size: .925em; }
code { overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; min-height: 2.75rem; line-height: 2.75rem; color: var(--accent); }
table { width: 100%; border-collapse: collapse; }
caption { text-align: left; color: var(--quiet); font-size: .925rem; padding: 0 0 .5rem; }
th, td { text-align: left; vertical-align: top; padding: .7rem 1rem .7rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
thead th { color: var(--quiet); font-size: .925rem; font-weight: 500; }
tbody tr:last-child > * { border-bottom: 0; }
@media (max-width: 40rem) {
  .card, article { padding: 1.15rem 1rem; }
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .75rem; }
  dd:last-child { margin-bottom: 0; }
  .bar { padding-bottom: .25rem; }
  .bar .who { flex-basis: 8rem; }
  .bar nav { order: 1; flex-basis: 100%; }
  .bar nav a { min-height: 2.75rem; }
  table, tbody, tr, th, td, caption { display: block; }
  thead { display: none; }
  tr { padding: .75rem 0; border-bottom: 1px solid var(--line); }
  tbody tr:last-child { border-bottom: 0; padding-bottom: 0; }
  th, td { padding: .1rem 0; border: 0; }
}
`;
