"""What reports and the web app share: templates, style sheet, number formats, charts."""
