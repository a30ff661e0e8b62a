// How a game ended as a PNG: phones offer whom to send it to, others save it. Without this the link leads to the SVG.

export async function send(link) {
  const file = await drawn(link).catch(() => null);
  if (!file) return (link.querySelector("span").textContent = link.dataset.failed);
  if (navigator.canShare?.({ files: [file] })) return navigator.share({ files: [file] }).catch(() => {}); // whoever thinks better of it has not failed
  const save = Object.assign(document.createElement("a"), { href: URL.createObjectURL(file), download: file.name });
  save.click();
  setTimeout(() => URL.revokeObjectURL(save.href), 60_000);
}

async function drawn(link) {
  const image = new Image();
  image.src = link.href;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
  canvas.getContext("2d").drawImage(image, 0, 0);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  return new File([blob], link.dataset.file, { type: "image/png" });
}
