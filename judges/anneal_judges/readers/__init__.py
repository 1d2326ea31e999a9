"""What a judge asks of a workbook, document, deck, calendar or mail. Readers never change a file."""
