% What bench/motion.c times, done with Octave's ode23s, the integrator of Azad & Featherstone 2014:
% their drop of section II-C. Prints drop<tab>SECONDS<tab>ERROR<tab>REMARK.
%
%   octave-cli octave_drop.m FILE       FILE: the true times of touch [s], one a line
%
% The error is the largest in a time of touch. Those times follow in closed form from a step in the
% flight before, so that no interpolation adds to them. The damper's work rides along once, outside
% the clock, to see that the energy balance closes.

1;

function rate = motion(~, y)
    mass = 0.066; k = 1e10; lambda = 1e5; g = 10;
    z = -y(1);
    force = 0;
    if z > 0
        force = max(0, k*z^1.5 - lambda*sqrt(z)*y(2));
    end
    rate = [y(2); force/mass - g];
end

function rate = motion_with_work(t, y)
    rate = [motion(t, y); 0];
    z = max(0, -y(1));
    force = 0.066*(rate(2) + 10);
    rate(3) = (1e10*z^1.5 - force)*y(2);
end

touch = load(argv(){1});
options = odeset('RelTol', 1e-5, 'AbsTol', 1e-8);  % the last touches are 1e-7 m deep
seconds = Inf;
for turn = 1:2
    begin = tic;
    [t, y] = ode23s(@motion, [0 5], [1; 0], options);
    seconds = min(seconds, toc(begin));
end

flies = y(:, 1) > 0;
from = find(diff([0; flies]) == 1);
from = from(1:min(end, numel(touch)));
ahead = (y(from, 2) + sqrt(y(from, 2).^2 + 20*y(from, 1)))/10;
off = max(abs(t(from) + ahead - touch(1:numel(from))));

[~, w] = ode23s(@motion_with_work, [0 5], [1; 0; 0], options);
z = max(0, -w(end, 1));
moved = 2*0.66;
residual = 0.66 - (0.66*w(end, 1) + 0.033*w(end, 2)^2 + 0.4*1e10*z^2.5 + w(end, 3));
printf("drop\t%.9g\t%.9g\tOctave %s, ode23s at rtol 1e-5: %d steps, %d touches, energy residual %.0e\n", ...
       seconds, off, version(), numel(t) - 1, sum(diff([0; flies]) == 1), abs(residual)/moved);
