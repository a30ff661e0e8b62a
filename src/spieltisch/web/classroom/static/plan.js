// A lesson is prepared: whose clock it is by which it ends; with how many cards it plays, told while one chooses.
const form = document.querySelector(".classform");
const out = document.getElementById("cards");
document.getElementById("zone").value = -new Date().getTimezoneOffset();

async function count() {
  const body = new URLSearchParams(new FormData(form));
  const answer = await fetch(form.dataset.cards, { method: "POST", body }).catch(() => null);
  out.textContent = answer?.ok ? await answer.text() : "";
}

form.addEventListener("change", count);
count();
