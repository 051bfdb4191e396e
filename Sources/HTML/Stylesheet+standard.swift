extension Stylesheet {
    /// The look of every page: tokens for light and dark, logical properties, so that right-to-left needs nothing more,
    /// targets of 44 px, focus that can be seen, no motion for those who ask for none.
    package static let standard = Stylesheet(
        """
        :root {
          color-scheme: light dark;
          --ground: #f4f6f9; --paper: #ffffff; --ink: #151a21; --quiet: #566070; --line: #ccd3dc;
          --accent: #1b5cbb; --on-accent: #ffffff; --tint: #e6eefa;
          --good: #1b6e40; --bad: #ad241d; --bad-tint: #fcebea; --warn: #855600; --warn-tint: #fdf3df;
          --radius: .625rem;
          font: 1rem/1.5 system-ui, "Noto Sans", sans-serif;
        }
        @media (prefers-color-scheme: dark) {
          :root {
            --ground: #101317; --paper: #191e25; --ink: #e8edf3; --quiet: #9ca7b5; --line: #3a4350;
            --accent: #82b6ff; --on-accent: #0a1930; --tint: #22304a;
            --good: #72d49d; --bad: #ff9f97; --bad-tint: #3a2323; --warn: #f1c36a; --warn-tint: #352c1a;
          }
        }
        *, ::before, ::after { box-sizing: border-box; }
        body, h1, h2, p, ul, dl, dd { margin: 0; }
        body {
          min-block-size: 100vh; display: grid; place-items: center; padding: 1rem;
          background: var(--ground); color: var(--ink); overflow-wrap: anywhere;
        }
        main { inline-size: 100%; display: grid; gap: 1rem; }
        main.card {
          max-inline-size: 25rem; padding: 1.75rem; background: var(--paper);
          border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 .5rem 2rem rgb(0 0 0 / 7%);
        }
        main.wide { max-inline-size: 70rem; align-self: start; }
        h1 { font-size: 1.375rem; line-height: 1.25; text-wrap: balance; }
        h2 { font-size: 1.0625rem; }
        .lead, small, footer { color: var(--quiet); }
        footer { font-size: .8125rem; }
        code { font: .8125rem ui-monospace, monospace; }
        a { color: var(--accent); }
        .brand { display: flex; align-items: center; gap: .5rem; color: var(--quiet); font-size: .875rem; }
        .brand svg { inline-size: 1.375rem; block-size: 1.375rem; flex: none; color: var(--accent); }
        .mark {
          inline-size: 2.25rem; block-size: 2.25rem; display: grid; place-items: center; border-radius: .5rem;
          background: var(--tint); color: var(--accent); font-weight: 700;
        }
        .asker {
          display: grid; grid-template-columns: auto 1fr; column-gap: .75rem; align-items: center;
          padding: .75rem; border: 1px solid var(--line); border-radius: var(--radius);
        }
        .asker .mark, .asker strong:last-child { grid-row: span 2; }
        .asker code { white-space: nowrap; }
        form, .actions, .choices, .field { display: grid; gap: .5rem; }
        form { gap: 1rem; }
        .field { gap: .25rem; }
        label { font-weight: 600; font-size: .9375rem; }
        input {
          inline-size: 100%; min-block-size: 2.75rem; padding: .5rem .75rem; font: inherit; color: inherit;
          background: var(--ground); border: 1px solid var(--quiet); border-radius: var(--radius);
        }
        input[aria-invalid="true"] { border-color: var(--bad); }
        input.code { font: 1.25rem ui-monospace, monospace; letter-spacing: .15em; text-transform: uppercase; }
        .problem { color: var(--bad); font-size: .875rem; }
        button, a.button {
          min-block-size: 2.75rem; padding: .5rem 1rem; font: inherit; font-weight: 600; text-align: center;
          text-decoration: none; color: var(--on-accent); background: var(--accent);
          border: 1px solid transparent; border-radius: var(--radius); cursor: pointer;
        }
        button.plain { color: var(--ink); background: transparent; border-color: var(--line); }
        button.quiet { color: var(--accent); background: transparent; }
        .choices { padding: 0; list-style: none; }
        .choices button {
          inline-size: 100%; display: grid; grid-template-columns: auto 1fr auto; gap: .75rem; align-items: center;
          text-align: start; color: var(--ink); background: var(--paper); border-color: var(--line);
        }
        .choices small { display: block; font-weight: 400; }
        .choices button:disabled { color: var(--quiet); border-style: dashed; cursor: not-allowed; }
        .choices button:disabled .mark { color: var(--quiet); background: transparent; }
        .scopes { padding-inline-start: 1.25rem; display: grid; gap: .25rem; }
        p + .scopes { margin-block-start: -.5rem; }
        .notice {
          padding: .5rem .75rem; font-size: .9375rem; background: var(--warn-tint);
          border-inline-start: .25rem solid var(--warn); border-radius: var(--radius);
        }
        .notice.bad { background: var(--bad-tint); border-color: var(--bad); }
        .notice.good { background: var(--tint); border-color: var(--good); }
        .facts { display: grid; grid-template-columns: auto 1fr; gap: .25rem .75rem; font-size: .875rem; }
        .facts dt { color: var(--quiet); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        @media (prefers-reduced-motion: no-preference) {
          button { transition: filter .12s; }
          button:hover:enabled { filter: brightness(1.07); }
        }
        @media (forced-colors: active) {
          .mark, .notice { border: 1px solid; }
        }
        """,
        sha256: "HDmkCcNwPEjTQ0QmIVdanJz0bMnUgxLyz+8SA1K+vP4=")
}
