// Whose clock it is by which a lesson ends.
document.getElementById("zone").value = -new Date().getTimezoneOffset();
