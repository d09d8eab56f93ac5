// form[data-scale]: a number answers the first question that is open; with the last one the form is sent.

function rateByNumbers(form) {
  const questions = [...form.querySelectorAll("fieldset[data-group]")];

  const openQuestion = () => questions.find((question) => !question.querySelector(":checked"));
  const markOpenQuestion = () => {
    const open = openQuestion();
    for (const question of questions) question.toggleAttribute("data-open", question === open);
  };
  const sendWhenRated = () => {
    markOpenQuestion();
    if (!openQuestion()) form.requestSubmit(form.querySelector("button[value=rate]"));
  };

  document.addEventListener("keydown", (event) => {
    if (!form.isConnected) return;
    const isTyping = event.target.closest("input[type=text], textarea, select");
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    const choice = openQuestion()?.querySelector(`input[value="${CSS.escape(event.key)}"]`);
    if (!choice) return;
    event.preventDefault();
    if (event.repeat) return;
    if (choice.matches(":disabled")) {
      sayKeyWasEarly(form, event.key);
      return;
    }
    choice.checked = true;
    sendWhenRated();
  });
  form.addEventListener("change", (event) => {
    if (event.target.matches("input[type=radio]")) sendWhenRated();
  });
  markOpenQuestion();
}

for (const form of document.querySelectorAll("form[data-scale]")) rateByNumbers(form);
