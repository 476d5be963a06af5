-- First session of total_return, with its reason where there is none.
-- prints: date as date
SELECT instrument, 'start_session' AS fact, "window", CASE WHEN reason IS NULL THEN 'OK' ELSE 'UNAVAILABLE' END AS status, reason,
       CASE WHEN reason IS NULL THEN start_session::text END AS value
FROM total_window;
