-- (TRI(end) / TRI(start))^(1/n) − 1 for n = 3 and 5 years. Nothing under one year is annualised. The exponent bears
-- 50 decimals and so does the power.
-- prints: ratio as percent_signed
SELECT instrument, 'total_return_annualised' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN pg_temp.exact(power(end_level / start_level, CASE "window" WHEN '3y' THEN round(1, 50) / 3 ELSE round(1, 50) / 5 END) - 1) END AS value
FROM total_window
WHERE "window" IN ('3y', '5y');
