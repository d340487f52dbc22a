"use strict";
// Finds entries by the words and badges that the page shows; without scripts the page is complete and has no field.
const [field, said] = ["find", "found"].map((id) => document.getElementById(id));
const facets = [...document.querySelectorAll("#search select")];
const read = {
  list: (node) => node.closest("section").querySelector("h2").textContent,
  verdict: (node) => (node.querySelector("b")?.textContent ?? "").split(",")[0].trim(),
  check: (node) => (node.matches("details") ? node.id.split("::")[1] : ""),
};
const own = (node) =>
  node.matches("details") ? [node.firstElementChild] : [...node.children].filter((part) => !part.matches("details,.again"));
const entries = [...document.querySelectorAll("details,article[id]")].map((node) => ({
  node,
  card: node.parentElement.closest("article"),
  text: [node.id, ...own(node).map((part) => part.textContent)].join(" ").toLowerCase(),
  ...Object.fromEntries(facets.map(({ name }) => [name, read[name](node)])),
}));
for (const facet of facets)
  for (const value of [...new Set(entries.map((entry) => entry[facet.name]))].filter(Boolean).sort())
    facet.append(new Option(value));
const search = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = facets.filter((facet) => facet.value);
  const found = entries.filter(
    (entry) => words.every((word) => entry.text.includes(word)) && chosen.every((f) => entry[f.name] === f.value),
  );
  const all = words.length + chosen.length === 0;
  const matched = new Set(found.map((entry) => entry.node));
  // the card of what was found is shown, and all of a card that was found itself
  const shown = new Set(found.flatMap((entry) => [entry.node, entry.card]));
  for (const { node, card } of entries) node.hidden = !all && !shown.has(node) && !matched.has(card);
  for (const article of document.querySelectorAll("article:not([id])")) article.hidden = !all && !shown.has(article);
  const sections = new Set(found.map((entry) => entry.node.closest("section")));
  for (const section of document.querySelectorAll("main > section")) section.hidden = !all && !sections.has(section);
  said.textContent = all ? "" : `${found.length} of ${entries.length} entries`;
};
const arrive = () => {
  const target = document.getElementById(location.hash.slice(1));
  if (target?.closest("[hidden]")) {
    field.value = "";
    for (const facet of facets) facet.value = "";
    search();
  }
  if (target?.matches("details")) target.open = true;
  target?.scrollIntoView();
};
for (const input of [field, ...facets]) input.addEventListener("input", search);
addEventListener("hashchange", arrive);
document.getElementById("search").hidden = false;
search();
arrive();
