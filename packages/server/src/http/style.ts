/**
 * The look of every page of people: system fonts, light and dark as the system has it, no script. Texts have a contrast
 * of at least 4.5, borders of fields 3, and what is pressed is at least 44 px high (WCAG 2.2, AA).
 */
export const STYLE = `:root {
  color-scheme: light dark;
  --ground: #f5f6f8; --sheet: #fff; --text: #1b2230; --quiet: #515b6b; --line: #d5dae2; --edge: #747e8d;
  --accent: #1d5bb8; --on-accent: #fff; --bad: #a31919; --bad-ground: #fdf0f0; --good: #17603a; --good-ground: #eef8f2;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11151b; --sheet: #1a202a; --text: #e7ebf1; --quiet: #a9b3c1; --line: #333c4a; --edge: #7b8797;
    --accent: #8db7fa; --on-accent: #0b1422; --bad: #ffaaa3; --bad-ground: #2d1a1b; --good: #93dcb2; --good-ground: #15281e;
  }
}
*, ::before, ::after { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: 1rem; top: -10rem; padding: .6rem 1rem; background: var(--sheet); z-index: 1; }
.skip:focus { top: .5rem; }
.bar { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1.25rem; padding: .5rem 1.5rem; background: var(--sheet); border-bottom: 1px solid var(--line); }
.bar a { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--text); text-decoration: none; }
.bar a:hover, .bar a[aria-current] { text-decoration: underline; }
.bar .brand { font-weight: 650; }
.bar nav { display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.bar .who { margin-left: auto; display: flex; flex-wrap: wrap; align-items: center; gap: .25rem 1rem; color: var(--quiet); }
main { max-width: 46rem; margin: 2rem auto 4rem; padding: 0 1.5rem; }
main.narrow { max-width: 30rem; }
main:focus { outline: none; }
h1 { font-size: 1.6rem; line-height: 1.25; font-weight: 650; margin: 0 0 1rem; }
h2 { font-size: 1.2rem; line-height: 1.3; font-weight: 650; margin: 2.25rem 0 .75rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
p, ul, ol, dl, table, pre, form { margin: 0 0 1rem; }
.card, article { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: 1.25rem 1.5rem; margin: 0 0 1.25rem; }
article h2, .card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.quiet, .hint { color: var(--quiet); }
.hint { font-size: .925rem; margin: .25rem 0 0; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; }
dt { color: var(--quiet); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
.field { margin: 0 0 1.25rem; }
label, legend { display: block; font-weight: 600; margin: 0 0 .35rem; padding: 0; }
input:not([type=checkbox], [type=radio]), textarea, select {
  display: block; width: 100%; min-height: 2.75rem; padding: .5rem .75rem; font: inherit;
  color: var(--text); background: var(--sheet); border: 1px solid var(--edge); border-radius: 8px;
}
input[aria-invalid=true], textarea[aria-invalid=true] { border: 2px solid var(--bad); }
input.code { font: 1.25rem/1.4 ui-monospace, monospace; letter-spacing: .1em; text-transform: uppercase; }
fieldset { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0; }
.choice { display: flex; align-items: center; gap: .75rem; min-height: 2.75rem; margin: 0; font-weight: 400; }
.choice input { width: 1.25rem; height: 1.25rem; flex: none; margin: 0; accent-color: var(--accent); }
button, .button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.25rem;
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
  color: var(--on-accent); background: var(--accent); border: 1px solid var(--accent); border-radius: 8px;
}
button.plain, .button.plain { color: var(--text); background: var(--sheet); border-color: var(--edge); }
button.risky { color: var(--bad); background: var(--sheet); border-color: var(--bad); }
button:hover, .button:hover { filter: brightness(1.08); }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; }
.actions form, .bar form { margin: 0; }
.actions.equal > * { flex: 1 1 12rem; }
.actions.equal button { width: 100%; }
.alert, .notice { padding: .75rem 1rem; border: 1px solid; border-left-width: 4px; border-radius: 8px; margin: 0 0 1.25rem; }
.alert { color: var(--bad); background: var(--bad-ground); }
.notice { color: var(--good); background: var(--good-ground); }
.alert > :last-child, .notice > :last-child { margin-bottom: 0; }
pre, code, kbd { font-family: ui-monospace, monospace; font-size: .925em; }
code { overflow-wrap: anywhere; }
pre { padding: .75rem 1rem; background: var(--ground); border: 1px solid var(--line); border-radius: 8px; white-space: pre-wrap; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; }
th, td { text-align: left; vertical-align: top; padding: .6rem .75rem .6rem 0; border-bottom: 1px solid var(--line); }
th { font-weight: 600; color: var(--quiet); }
@media (max-width: 34rem) {
  dl { grid-template-columns: 1fr; gap: 0; }
  dd { margin-bottom: .75rem; }
  .bar .who { margin-left: 0; }
}
`;
