"use strict";
// Finds, narrows and orders what the page already shows; without scripts the page is complete and has no field.
const [bar, field, order, said] = ["search", "find", "order", "found"].map((id) => document.getElementById(id));
const facets = [...bar.querySelectorAll("select[name]")];
const rank = ["unexpected", "broken", "left open", "as expected", "skipped"];
const expectations = { "": "as expected", "bad known": "as expected", bad: "unexpected", warn: "left open", plain: "skipped" };
const worst = ["refuted", "error", "undecided", "no violation seen", "derived", "proved"];
const finds = "article details,article>p:not(.again):has(>:is(b,code):first-child)"; // a line begins with its verdict or its name
const entryOf = (node) => {
  const finding = node.matches(finds);
  const card = node.closest("article") ?? node;
  const section = node.closest("section");
  const line = node.matches("details") ? node.firstElementChild : node;
  const badge = line.querySelector("b") ?? card.querySelector("b"); // without its own, that of its card
  const [word] = (badge?.textContent ?? "").split(",");
  const verdict = word === "caught" ? "refuted" : word;
  const kind = card.dataset.kind ?? section.dataset.kind ?? "";
  const outside = [...node.children].filter((part) => !part.matches(finds));
  const own = node.matches("details") ? [line] : finding ? [node] : outside;
  const links = [...card.querySelectorAll("article>dl :is(a,code)")]; // the last is the claim it is held to
  const claim = kind === "claim" ? card.id : (links.at(-1)?.textContent ?? "");
  const name = finding ? line.querySelector("code,a").textContent : "";
  if (finding && card.id) node.id ||= `${card.id}::${name}`; // those that nothing on the page leads to have none
  return {
    node,
    card,
    section,
    finding,
    kind,
    verdict,
    paper: card.dataset.paper ?? claim.split(".")[0],
    severity: card.dataset.severity ?? "",
    check: card.id ? name.split("::")[0] : name.split("::")[1],
    expectation: verdict === "error" ? "broken" : (expectations[badge?.className] ?? ""),
    text: [node.id, verdict, ...own.map((part) => part.textContent)].join(" ").toLowerCase(),
  };
};
const entries = [...document.querySelectorAll(`article[id],${finds},section[data-kind=chapter]`)].map(entryOf);
const sections = [...document.querySelectorAll("main>section")];
const groups = [...document.querySelectorAll(".absent")];
const articles = [...document.querySelectorAll("article")];
// cards that stand next to one another, with the heading above them: they are ordered among themselves
const lists = [];
for (const card of articles)
  if (card.previousElementSibling?.matches("article")) lists.at(-1).cards.push(card);
  else {
    const above = card.previousElementSibling;
    let heading = above;
    while (heading && !heading.matches("h3")) heading = heading.previousElementSibling;
    lists.push({ above, heading, cards: [card] });
  }
for (const facet of facets)
  for (const value of [...new Set(entries.map((entry) => entry[facet.name]))].filter(Boolean).sort())
    facet.append(new Option(value));
const show = (node, shown) => {
  if (node.hidden === shown) node.hidden = !shown;
};
const search = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = facets.filter((facet) => facet.value);
  const all = words.length + chosen.length === 0;
  const found = all
    ? entries
    : entries.filter((entry) => chosen.every((f) => entry[f.name] === f.value) && words.every((w) => entry.text.includes(w)));
  const hits = new Set(found.map((entry) => entry.node));
  // the card of what was found is shown, and all of a card that was found itself
  const cards = new Set(found.map((entry) => entry.card));
  const holding = new Set(found.map((entry) => entry.section));
  for (const { node, card, finding } of entries) if (finding) show(node, all || hits.has(node) || hits.has(card));
  for (const card of articles) show(card, all || cards.has(card));
  for (const { heading, cards: listed } of lists) if (heading) show(heading, listed.some((card) => !card.hidden));
  for (const group of groups) {
    show(group, all || [...group.children].some((card) => cards.has(card)));
    group.open = !all && !group.hidden;
  }
  for (const section of sections) show(section, all || holding.has(section));
  const findings = found.filter((entry) => entry.finding).length;
  said.textContent = `${found.length - findings} entries, ${findings} findings`;
  document.body.classList.toggle("searching", !all); // only results are below the bar
};
const place = { id: () => 0, verdict: (e) => worst.indexOf(e.verdict), expectation: (e) => rank.indexOf(e.expectation) };
let last;
const sort = () => {
  const key = new Map(entries.filter((entry) => !entry.finding).map((entry) => [entry.node, entry]));
  const by = (one, two) => {
    const [a, b] = [key.get(one), key.get(two)];
    return a && b ? place[order.value](a) - place[order.value](b) || (one.id < two.id ? -1 : 1) : 0;
  };
  const waiting = lists.filter(({ above }) => above).map(({ above, cards }) => ({ above, cards: [...cards].sort(order.value ? by : () => 0) }));
  const move = () => {
    for (const list of waiting) {
      const first = list.cards.splice(0, 100);
      list.above.after(...first);
      list.above = first.at(-1) ?? list.above;
    }
    if (waiting.some(({ cards }) => cards.length)) last = setTimeout(move);
  };
  clearTimeout(last);
  move(); // what is seen first, at once; the rest of thousands while the page answers
};
const choose = (query) => {
  const wanted = new URLSearchParams(query);
  field.value = wanted.get("find") ?? "";
  for (const facet of facets) facet.value = wanted.get(facet.name) ?? "";
  search();
};
const keepClear = () => {
  const height = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
  document.documentElement.style.scrollPaddingTop = `${height + 8}px`;
};
// heights of cards that were never on screen are estimates: a jump needs all of them
const land = (target) => {
  if (!target) return;
  document.body.classList.add("measured");
  keepClear();
  target.scrollIntoView();
};
const arrive = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest("[hidden]")) choose("");
  const folded = target?.closest("details");
  if (folded) folded.open = true;
  if (target?.matches("article")) for (const finding of target.querySelectorAll("details")) finding.open = true;
  land(target);
};
for (const input of [field, ...facets]) input.addEventListener("input", search);
order.addEventListener("input", sort);
document.getElementById("all").addEventListener("click", () => choose(""));
document.addEventListener("click", (event) => {
  const count = event.target.closest("[data-find]");
  if (!count) return;
  event.preventDefault();
  choose(count.dataset.find);
  land(sections.find((section) => !section.hidden));
});
addEventListener("hashchange", arrive);
const contents = document.createElement("details"); // in the bar, which stays in sight
contents.id = "contents";
contents.append(document.createElement("summary"), document.querySelector("nav div").cloneNode(true));
contents.firstChild.textContent = "contents";
bar.append(contents);
contents.addEventListener("click", (event) => {
  if (event.target.matches("a")) contents.open = false;
});
bar.hidden = false;
new ResizeObserver(keepClear).observe(bar);
search();
arrive();
