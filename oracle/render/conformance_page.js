"use strict";
(() => {
  const PAUSE = 120; // milliseconds after the last key before a search begins
  const MOST_OPENED = 500; // rows up to which the tables of all cases are opened for their matches
  const query = document.getElementById("query");
  const verdict = document.getElementById("verdict");
  const told = document.getElementById("told");
  const form = document.getElementById("search");
  form.hidden = false;
  document.getElementById("keys").hidden = false;
  const items = Array.from(document.querySelectorAll("[data-verdict]"));
  const library = (item) => item.closest("section.library");
  const texts = items.map((item) => `${library(item).dataset.name} ${item.textContent}`.toLowerCase());
  const groups = Array.from(document.querySelectorAll("[data-group]"));

  function apply() {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = verdict.value;
    let shown = 0;
    items.forEach((item, n) => {
      const fits = (!wanted || item.dataset.verdict === wanted) && words.every((word) => texts[n].includes(word));
      item.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    const filtered = words.length > 0 || wanted !== "";
    groups.forEach((group) => {
      group.hidden = filtered && !group.querySelector("[data-verdict]:not([hidden])");
    });
    document.querySelectorAll("details.all").forEach((table) => { table.open = filtered && shown <= MOST_OPENED; });
    told.textContent = filtered ? `${shown} of ${items.length} entries shown` : `${items.length} entries`;
  }

  function visible() {
    return Array.from(document.querySelectorAll("details.case:not([hidden])")).filter((item) => item.offsetParent);
  }

  function move(step) {
    const cases = visible();
    if (cases.length === 0) return;
    const at = cases.indexOf(document.activeElement.closest("details.case"));
    const next = at < 0 ? (step > 0 ? 0 : cases.length - 1) : Math.min(Math.max(at + step, 0), cases.length - 1);
    const summary = cases[next].querySelector("summary");
    summary.focus();
    summary.scrollIntoView({ block: "center" });
  }

  function moveLibrary(step) {
    const heads = Array.from(document.querySelectorAll("section.library:not([hidden]) > h2"));
    const tops = heads.map((head) => head.getBoundingClientRect().top);
    const sticky = form.offsetHeight;
    const next = step > 0 ? tops.findIndex((top) => top > sticky + 8) : tops.findLastIndex((top) => top < sticky - 8);
    if (next < 0) return;
    heads[next].focus({ preventScroll: true });
    heads[next].scrollIntoView();
  }

  function openAll(open, which = "*") {
    visible().filter((item) => item.matches(which)).forEach((item) => { item.open = open; });
  }

  function openTarget() {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      query.value = "";
      verdict.value = "";
      apply();
    }
    for (let around = target; around; around = around.parentElement) {
      if (around.tagName === "DETAILS") around.open = true;
    }
    if (target) target.scrollIntoView();
  }

  let waiting = 0;
  query.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(apply, PAUSE);
  });
  verdict.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(apply));
  window.addEventListener("hashchange", openTarget);
  window.addEventListener("beforeprint", () => openAll(true, document.body.matches(".index") ? ".cause" : "*"));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") {
      form.reset();
      query.blur();
      return;
    }
    if (event.target.matches("input, select, textarea")) return;
    const keys = { "/": () => query.focus(), j: () => move(1), k: () => move(-1), n: () => moveLibrary(1), p: () => moveLibrary(-1),
      e: () => openAll(true), c: () => openAll(false) };
    if (keys[event.key]) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  apply();
  openTarget();
})();
